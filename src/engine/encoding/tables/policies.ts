import type {
  MutatingWebhookConfiguration,
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'kubernetes-types/admissionregistration/v1'
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1'
import type { FlowSchema, PriorityLevelConfiguration } from 'kubernetes-types/flowcontrol/v1'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1'
import type { RoleBinding } from 'kubernetes-types/rbac/v1'
import { API_DOMAIN } from '../../core/names'
import type { KubeObject } from '../../core/object'
import { selectorDump } from '../../schema/go-text'
import { humanDuration } from '../duration'
import { labelsText, NONE, type ResourceTables, table, UNSET } from './resource-table'

interface PodCertificateRequest {
  spec?: {
    podName?: string
    serviceAccountName?: string
    nodeName?: string
    signerName?: string
    unverifiedUserAnnotations?: Record<string, string>
  }
  status?: { conditions?: { type?: string }[] }
}

const ADMISSION = `admissionregistration.${API_DOMAIN}`
const CERTIFICATES = `certificates.${API_DOMAIN}`
const FLOW_CONTROL = `flowcontrol.apiserver.${API_DOMAIN}`
const RBAC = `rbac.authorization.${API_DOMAIN}`

function subjects(binding: RoleBinding, kind: string): string {
  return (binding.subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
    .join(', ')
}

interface SecurityPolicy extends KubeObject {
  spec?: {
    privileged?: boolean
    allowedCapabilities?: string[]
    readOnlyRootFilesystem?: boolean
    volumes?: string[]
  } & { [member in 'seLinux' | 'runAsUser' | 'fsGroup' | 'supplementalGroups']?: { rule?: string } }
}

const securityPolicyTable = table<SecurityPolicy>(({ spec = {} }) => ({
  Priv: String(spec.privileged ?? false),
  Caps: (spec.allowedCapabilities ?? []).join(','),
  Selinux: spec.seLinux?.rule ?? '',
  RunAsUser: spec.runAsUser?.rule ?? '',
  FsGroup: spec.fsGroup?.rule ?? '',
  SupGroup: spec.supplementalGroups?.rule ?? '',
  ReadOnlyRootFs: String(spec.readOnlyRootFilesystem ?? false),
  Volumes: (spec.volumes ?? []).join(','),
}))

const bindingTable = table<RoleBinding>((binding) => ({
  Role: `${binding.roleRef?.kind ?? ''}/${binding.roleRef?.name ?? ''}`,
  Users: subjects(binding, 'User'),
  Groups: subjects(binding, 'Group'),
  ServiceAccounts: subjects(binding, 'ServiceAccount'),
}))

interface MutatingAdmissionPolicy extends KubeObject {
  spec?: { mutations?: unknown[]; paramKind?: ParamKind }
}

function paramKindOf({ spec }: { spec?: { paramKind?: ParamKind } }): string {
  const { paramKind } = spec ?? {}
  return paramKind ? `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}` : UNSET
}

function paramOf({ spec }: ValidatingAdmissionPolicyBinding): string {
  const param = spec?.paramRef
  if (param?.name) return `${param.namespace || '*'}/${param.name}`
  return param?.selector ? selectorDump(param.selector) : UNSET
}

function requestStatus({ status }: CertificateSigningRequest): string {
  const has = (type: string) => status?.conditions?.some((condition) => condition.type === type)
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  return `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`
}

function byPrecedence(a: KubeObject, b: KubeObject): number {
  const precedence = (object: KubeObject) =>
    (object as unknown as FlowSchema).spec?.matchingPrecedence ?? 0
  return (
    precedence(a) - precedence(b) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)
  )
}

export const policyTables: ResourceTables = {
  [`mutatingwebhookconfigurations.${ADMISSION}`]: table<MutatingWebhookConfiguration>(
    ({ webhooks }) => ({
      Webhooks: webhooks?.length ?? 0,
    }),
  ),
  [`validatingwebhookconfigurations.${ADMISSION}`]: table<MutatingWebhookConfiguration>(
    ({ webhooks }) => ({
      Webhooks: webhooks?.length ?? 0,
    }),
  ),
  [`mutatingadmissionpolicies.${ADMISSION}`]: table<MutatingAdmissionPolicy>((policy) => ({
    Mutations: policy.spec?.mutations?.length ?? 0,
    ParamKind: paramKindOf(policy),
  })),
  [`mutatingadmissionpolicybindings.${ADMISSION}`]: table<ValidatingAdmissionPolicyBinding>(
    (binding) => ({
      PolicyName: binding.spec?.policyName ?? '',
      ParamRef: paramOf(binding),
    }),
  ),
  [`validatingadmissionpolicies.${ADMISSION}`]: table<ValidatingAdmissionPolicy>((policy) => ({
    Validations: policy.spec?.validations?.length ?? 0,
    ParamKind: paramKindOf(policy),
  })),
  [`validatingadmissionpolicybindings.${ADMISSION}`]: table<ValidatingAdmissionPolicyBinding>(
    (binding) => ({
      PolicyName: binding.spec?.policyName ?? '',
      ParamRef: paramOf(binding),
    }),
  ),
  [`certificatesigningrequests.${CERTIFICATES}`]: table<CertificateSigningRequest>((request) => ({
    SignerName: request.spec?.signerName || NONE,
    Requestor: request.spec?.username ?? '',
    RequestedDuration:
      request.spec?.expirationSeconds === undefined
        ? NONE
        : humanDuration(request.spec.expirationSeconds * 1000),
    Condition: requestStatus(request),
  })),
  [`podcertificaterequests.${CERTIFICATES}`]: table<PodCertificateRequest>(({ spec, status }) => ({
    PodName: spec?.podName ?? '',
    ServiceAccountName: spec?.serviceAccountName ?? '',
    NodeName: spec?.nodeName ?? '',
    SignerName: spec?.signerName ?? '',
    State: status?.conditions?.at(-1)?.type ?? 'Pending',
    UnverifiedUserAnnotations: labelsText(spec?.unverifiedUserAnnotations),
  })),
  [`clustertrustbundles.${CERTIFICATES}`]: table<{ spec?: { signerName?: string } }>(
    ({ spec }) => ({
      SignerName: spec?.signerName || NONE,
    }),
  ),
  [`flowschemas.${FLOW_CONTROL}`]: table<FlowSchema>(
    ({ spec, status }) => ({
      PriorityLevel: spec?.priorityLevelConfiguration?.name ?? '',
      MatchingPrecedence: spec?.matchingPrecedence ?? 0,
      DistinguisherMethod: spec?.distinguisherMethod?.type ?? NONE,
      MissingPL: status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
    }),
    { order: byPrecedence },
  ),
  [`prioritylevelconfigurations.${FLOW_CONTROL}`]: table<PriorityLevelConfiguration>(({ spec }) => {
    const queuing = spec?.limited?.limitResponse?.queuing
    return {
      Type: spec?.type ?? '',
      NominalConcurrencyShares: spec?.limited ? (spec.limited.nominalConcurrencyShares ?? 0) : NONE,
      Queues: queuing ? (queuing.queues ?? 0) : NONE,
      HandSize: queuing ? (queuing.handSize ?? 0) : NONE,
      QueueLengthLimit: queuing ? (queuing.queueLengthLimit ?? 0) : NONE,
    }
  }),
  'podsecuritypolicies.policy': securityPolicyTable,
  'poddisruptionbudgets.policy': table<PodDisruptionBudget>(({ spec, status }) => ({
    'Min Available': spec?.minAvailable === undefined ? 'N/A' : String(spec.minAvailable),
    'Max Unavailable': spec?.maxUnavailable === undefined ? 'N/A' : String(spec.maxUnavailable),
    'Allowed Disruptions': status?.disruptionsAllowed ?? 0,
  })),
  [`clusterrolebindings.${RBAC}`]: bindingTable,
  [`rolebindings.${RBAC}`]: bindingTable,
}
