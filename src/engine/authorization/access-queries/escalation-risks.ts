/**
 * Finds permissions that let their holder gain others. kubernetes.io, "Kubernetes RBAC - privilege
 * escalation risks".
 */
import { API_DOMAIN } from '../../core/names'
import { ALL, type PolicyRule, ruleAllows } from '../rbac/rules'
import type { EscalationRisk } from './types'

interface RiskRule {
  kind: string
  verbs: readonly string[]
  group: string
  /** With subresources. */
  resources: readonly string[]
  text: string
}

const WRITING = ['create', 'update', 'patch']
const RBAC = `rbac.authorization.${API_DOMAIN}`
const CERTIFICATES = `certificates.${API_DOMAIN}`

const IMPERSONATION =
  'Requests may impersonate another user, with all permissions of that user, up to the whole cluster.'
const WORKLOADS =
  'It makes pods of its template: they can mount every Secret, use every service account and mount every volume claim of the namespace.'

const RISK_RULES: readonly RiskRule[] = [
  {
    kind: 'escalate',
    verbs: ['escalate'],
    group: RBAC,
    resources: ['roles', 'clusterroles'],
    text: 'Roles may be given rights that their writer does not hold: in the end all of them.',
  },
  {
    kind: 'bind',
    verbs: ['bind'],
    group: RBAC,
    resources: ['roles', 'clusterroles'],
    text: 'These roles may be granted to anyone, including oneself, even without holding their permissions.',
  },
  {
    kind: 'impersonate',
    verbs: ['impersonate'],
    group: '',
    resources: ['users', 'groups', 'serviceaccounts'],
    text: IMPERSONATION,
  },
  {
    kind: 'pods',
    verbs: WRITING,
    group: '',
    resources: ['pods', 'pods/ephemeralcontainers'],
    text: 'A pod can mount every Secret and ConfigMap, use every service account and mount every volume claim of the namespace.',
  },
  {
    kind: 'workloads',
    verbs: WRITING,
    group: '',
    resources: ['replicationcontrollers', 'podtemplates'],
    text: WORKLOADS,
  },
  {
    kind: 'workloads',
    verbs: WRITING,
    group: 'apps',
    resources: ['deployments', 'daemonsets', 'replicasets', 'statefulsets'],
    text: WORKLOADS,
  },
  {
    kind: 'workloads',
    verbs: WRITING,
    group: 'batch',
    resources: ['jobs', 'cronjobs'],
    text: WORKLOADS,
  },
  {
    kind: 'commands',
    verbs: ['create', 'get'],
    group: '',
    resources: ['pods/exec', 'pods/attach'],
    text: 'Commands run inside pods: with their service accounts, and with the Secrets that they mount.',
  },
  {
    kind: 'secrets',
    verbs: ['get', 'list', 'watch'],
    group: '',
    resources: ['secrets'],
    text: 'Lists and watches show the contents of Secrets as get does, tokens of service accounts among them.',
  },
  {
    kind: 'tokens',
    verbs: ['create'],
    group: '',
    resources: ['serviceaccounts/token'],
    text: 'Tokens are issued for service accounts: a token grants all permissions of the account.',
  },
  {
    kind: 'nodes',
    verbs: ['get', 'create', 'update', 'patch', 'delete'],
    group: '',
    resources: ['nodes/proxy'],
    text: "The node's own API is open: commands run in each of its pods, past admission and past the audit trail.",
  },
  {
    kind: 'volumes',
    verbs: ['create'],
    group: '',
    resources: ['persistentvolumes'],
    text: 'A volume of type hostPath opens the files of a node.',
  },
  {
    kind: 'namespaces',
    verbs: ['update', 'patch'],
    group: '',
    resources: ['namespaces'],
    text: 'The labels of a namespace switch the security standard of its pods off, and choose what network policies let in.',
  },
  {
    kind: 'certificates',
    verbs: ['update', 'patch'],
    group: CERTIFICATES,
    resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
    text: 'With the right to approve for a signer, certificates are issued that make their holder any user or member of any group.',
  },
  {
    kind: 'certificates',
    verbs: ['approve', 'sign'],
    group: CERTIFICATES,
    resources: ['signers'],
    text: 'Certificates are issued that make their holder any user or member of any group that the signer allows.',
  },
  {
    kind: 'webhooks',
    verbs: WRITING,
    group: `admissionregistration.${API_DOMAIN}`,
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    text: 'A webhook sees every object that is written, Secrets included, and may reject or change it.',
  },
  {
    kind: 'impersonate',
    verbs: ['impersonate'],
    group: `authentication.${API_DOMAIN}`,
    resources: ['uids', 'userextras'],
    text: IMPERSONATION,
  },
]

const ON_ALL: Omit<RiskRule, 'verbs' | 'group' | 'resources'>[] = [
  {
    kind: 'wildcard verbs',
    text: 'Every verb: escalate, bind and impersonate too where the resource knows them, and those of releases to come.',
  },
  {
    kind: 'wildcard resources',
    text: 'Every resource of these groups and each of its subresources: also those that are installed later.',
  },
  { kind: 'wildcard groups', text: 'Every group, also those that are installed later.' },
]

const EVERYTHING = 'Everything: as much as the role cluster-admin gives where it is bound.'

const has = (list: readonly string[] | null | undefined): boolean => list?.includes(ALL) ?? false

/** For full access, that is the only risk reported. */
export function escalationRisksOf(rule: PolicyRule): EscalationRisk[] {
  const wild = [has(rule.verbs), has(rule.resources), has(rule.apiGroups)]
  if (wild.every(Boolean) && !rule.resourceNames?.length)
    return [{ kind: 'everything', rule, right: '* *.*', text: EVERYTHING }]
  const onAll = ON_ALL.filter((_, i) => wild[i] === true && (rule.resources ?? []).length > 0).map(
    ({ kind, text }) => ({
      kind,
      rule,
      right: `${(rule.verbs ?? []).join(',')} ${(rule.resources ?? []).join(',')}`,
      text,
    }),
  )
  return [...onAll, ...RISK_RULES.flatMap((reach) => reached(rule, reach))]
}

function reached(
  rule: PolicyRule,
  { kind, verbs, group, resources, text }: RiskRule,
): EscalationRisk[] {
  const found = resources.flatMap((full) => {
    const [resource = '', subresource = ''] = full.split('/')
    const allowed = verbs.filter((verb) =>
      names(rule).some((name) => allows(rule, { verb, group, resource, subresource, name })),
    )
    return allowed.length > 0 ? [{ full, allowed }] : []
  })
  if (found.length === 0) return []
  const rights = found.map(({ full, allowed }) => `${allowed.join(',')} ${full}`)
  return [{ kind, rule, right: rights.join('; '), text }]
}

const names = ({ resourceNames }: PolicyRule): readonly string[] =>
  resourceNames?.length ? resourceNames : ['']

function allows(
  rule: PolicyRule,
  attributes: { verb: string; group: string; resource: string; subresource: string; name: string },
): boolean {
  return ruleAllows(rule, {
    ...attributes,
    user: { name: '', groups: [] },
    isResource: true,
    path: '',
    version: '*',
    namespace: '',
  })
}
