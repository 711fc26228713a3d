/**
 * Defaults that differ from the successor's. See kubernetes.io, "Deprecated API Migration Guide",
 * and the API references.
 */
import { entryOf, isJsonObject, type Json, type JsonObject, type KubeObject } from '../core/object'
import { readCertificateRequest } from '../validation/certificate-request'
import { SIGNERS } from '../validation/signers'

export interface VersionDefault {
  /** `webhooks[].failurePolicy` */
  member: string
  /** The older default; undefined: none. */
  was: Json | ((object: KubeObject) => Json | undefined)
  /** The newer default; absent: none. */
  is?: Json
  when?(object: KubeObject): boolean
}

/** History is never removed, and progress has no deadline. */
const NO_LIMIT = 2147483647

const specOf = (object: KubeObject): JsonObject =>
  isJsonObject(object.spec as Json) ? (object.spec as JsonObject) : {}

function templateLabels(object: KubeObject): JsonObject | undefined {
  const { template } = specOf(object)
  const labels =
    isJsonObject(template) && isJsonObject(template.metadata) ? template.metadata.labels : undefined
  return isJsonObject(labels) && Object.keys(labels).length > 0 ? labels : undefined
}

const hasNoLabels = ({ metadata }: KubeObject): boolean =>
  Object.keys(metadata?.labels ?? {}).length === 0

/** Older workloads default to the labels of the template. */
const FROM_TEMPLATE: VersionDefault[] = [
  {
    member: 'spec.selector',
    was(object) {
      const labels = templateLabels(object)
      return labels && { matchLabels: { ...labels } }
    },
  },
  {
    member: 'metadata.labels',
    was: (object) => ({ ...templateLabels(object) }),
    when: (object) => hasNoLabels(object) && templateLabels(object) !== undefined,
  },
]

const rolls = (object: KubeObject): boolean => {
  const { strategy } = specOf(object)
  return !isJsonObject(strategy) || !strategy.type || strategy.type === 'RollingUpdate'
}

const ON_DELETE: VersionDefault = {
  member: 'spec.updateStrategy.type',
  was: 'OnDelete',
  is: 'RollingUpdate',
}

const PATH_TYPE: VersionDefault[] = [
  { member: 'spec.rules[].http.paths[].pathType', was: 'ImplementationSpecific' },
]

const WEBHOOKS: VersionDefault[] = [
  { member: 'webhooks[].failurePolicy', was: 'Ignore', is: 'Fail' },
  { member: 'webhooks[].matchPolicy', was: 'Exact', is: 'Equivalent' },
  { member: 'webhooks[].timeoutSeconds', was: 30, is: 10 },
  { member: 'webhooks[].sideEffects', was: 'Unknown' },
  { member: 'webhooks[].admissionReviewVersions', was: ['v1beta1'] },
]

const conversionOf = (object: KubeObject): JsonObject => {
  const { conversion } = specOf(object)
  return isJsonObject(conversion) ? conversion : {}
}

const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown'
const NODE_SIGNERS = [
  'kubernetes.io/kube-apiserver-client-kubelet',
  'kubernetes.io/kubelet-serving',
]

/** Depends on whether the request has a kubelet's form. */
function signerOf(object: KubeObject): string {
  const { request, usages } = specOf(object)
  if (typeof request !== 'string') return LEGACY_SIGNER
  const requested = Array.isArray(usages) ? usages.filter((usage) => typeof usage === 'string') : []
  try {
    const certificate = readCertificateRequest(request)
    return (
      NODE_SIGNERS.find((name) => entryOf(SIGNERS, name)?.(certificate, requested) === undefined) ??
      LEGACY_SIGNER
    )
  } catch {
    return LEGACY_SIGNER
  }
}

const DEFAULTS: Record<string, VersionDefault[]> = {
  'admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding': [
    {
      member: 'spec.paramRef.parameterNotFoundAction',
      was: 'Deny',
      when: (object) => isJsonObject(specOf(object).paramRef),
    },
  ],
  'admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration': WEBHOOKS,
  'admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration': WEBHOOKS,
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': [
    { member: 'spec.scope', was: 'Namespaced' },
    { member: 'spec.preserveUnknownFields', was: true, is: false },
    {
      member: 'spec.conversion.conversionReviewVersions',
      was: ['v1beta1'],
      when: (object) => conversionOf(object).strategy === 'Webhook',
    },
  ],
  'apps/v1beta1 Deployment': [
    ...FROM_TEMPLATE,
    { member: 'spec.revisionHistoryLimit', was: 2, is: 10 },
  ],
  'apps/v1beta1 StatefulSet': [...FROM_TEMPLATE, ON_DELETE],
  'certificates.k8s.io/v1beta1 CertificateSigningRequest': [
    { member: 'spec.usages', was: ['digital signature', 'key encipherment'] },
    { member: 'spec.signerName', was: signerOf },
    { member: 'status.conditions[].status', was: 'True' },
  ],
  'extensions/v1beta1 DaemonSet': [...FROM_TEMPLATE, ON_DELETE],
  'extensions/v1beta1 Deployment': [
    ...FROM_TEMPLATE,
    { member: 'spec.strategy.rollingUpdate.maxUnavailable', was: 1, is: '25%', when: rolls },
    { member: 'spec.strategy.rollingUpdate.maxSurge', was: 1, is: '25%', when: rolls },
    { member: 'spec.progressDeadlineSeconds', was: NO_LIMIT, is: 600 },
    { member: 'spec.revisionHistoryLimit', was: NO_LIMIT, is: 10 },
  ],
  'extensions/v1beta1 Ingress': PATH_TYPE,
  'extensions/v1beta1 PodSecurityPolicy': [
    { member: 'spec.allowPrivilegeEscalation', was: true, is: true },
  ],
  'extensions/v1beta1 ReplicaSet': FROM_TEMPLATE,
  'networking.k8s.io/v1beta1 Ingress': PATH_TYPE,
  'policy/v1beta1 PodSecurityPolicy': [
    { member: 'spec.allowPrivilegeEscalation', was: true, is: true },
  ],
}

export function defaultsOf(apiVersion: string, kind: string): readonly VersionDefault[] {
  return entryOf(DEFAULTS, `${apiVersion} ${kind}`) ?? []
}

/** In place. */
export function fillOlderDefaults(apiVersion: string, object: KubeObject): void {
  for (const { member, was, when } of defaultsOf(apiVersion, object.kind)) {
    if (when && !when(object)) continue
    const value = typeof was === 'function' ? was(object) : was
    if (value !== undefined) fillMember(object as unknown as JsonObject, member, value)
  }
}

/** In place. */
export function fillNewerDefaults(apiVersion: string, object: KubeObject): void {
  for (const { member, is, when } of defaultsOf(apiVersion, object.kind)) {
    if (is !== undefined && !(when && !when(object)))
      fillMember(object as unknown as JsonObject, member, is)
  }
}

/** Creates structures, but no list items. */
function fillMember(object: JsonObject, member: string, value: Json): void {
  const [first = '', ...rest] = member.split('.')
  const isList = first.endsWith('[]')
  const name = isList ? first.slice(0, -2) : first
  const present = object[name]
  if (rest.length === 0) {
    if (present === undefined || present === null || present === '')
      object[name] = structuredClone(value)
    return
  }
  const below = rest.join('.')
  if (isList) {
    for (const item of Array.isArray(present) ? present : [])
      if (isJsonObject(item)) fillMember(item, below, value)
    return
  }
  if (present === undefined || present === null) {
    if (below.includes('[]')) return
    object[name] = {}
  }
  const inner = object[name]
  if (isJsonObject(inner)) fillMember(inner, below, value)
}
