import type { AccessSubject, QueryAttributes, Shortfall } from '../../../hosts/shared/access'

export const VIEW_TITLES = {
  access: 'Access',
  rights: 'Permissions',
  whoCan: 'Who can',
  try: 'Access review',
  roles: 'Least-privilege role',
  identities: 'Users',
  configuration: 'Configuration',
} as const

export const SHARED = {
  loading: 'Loading …',
  noGroups: 'no groups',
  serviceAccount: 'Service account',
  accountFormat: 'namespace/name',
  allNamespaces: 'All namespaces',
  checkWithServer: 'Check with the server',
} as const

export const actingAs = (name: string): string => `Acting as ${name}`

export const actAs = (name: string): string => `Act as ${name}`

export const permissionsOf = (name: string): string => `Permissions of ${name}`

export const showObject = (kind: string, name: string): string => `Show ${kind} ${name}`

export function subjectName(subject: AccessSubject): string {
  if (subject.kind === 'ServiceAccount')
    return `service account ${subject.namespace}/${subject.name}`
  return subject.kind === 'Group' ? `group ${subject.name}` : subject.name
}

export const subjectKind = (kind: string): string =>
  kind === 'ServiceAccount' ? SHARED.serviceAccount : kind

/** `get pods/log of web in default`, `get /healthz` */
export function attributesText({
  verb,
  isResource,
  path,
  group,
  resource,
  subresource,
  namespace,
  name,
}: QueryAttributes): string {
  if (!isResource) return `${verb} ${path}`
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  const what = group === '' ? full : `${full}.${group}`
  const which = name === '' ? '' : ` “${name}”`
  const where = namespace === '' ? '' : ` in ${namespace}`
  return `${verb} ${what}${which}${where}`
}

export const SUBJECT = {
  permissionsOf: 'Permissions of',
  acting: '(acting)',
  current: 'Current user',
  kind: 'Kind of subject',
  user: 'User',
  group: 'Group',
  groups: 'Groups',
  groupsExample: 'developers, testers',
  show: 'Show',
} as const

export const ATTRIBUTES = {
  request: 'Request to check',
  resource: 'A resource',
  path: 'A path',
} as const

export const ATTRIBUTE_TITLES = {
  verb: 'Verb',
  path: 'Path',
  resource: 'Resource',
  subresource: 'Subresource',
  group: 'API group',
  version: 'Version',
  namespace: 'Namespace',
  name: 'Name',
  namespaceOfRequest: 'Namespace of the request',
  coreGroup: 'empty = core',
  anyName: 'any',
} as const

export const RIGHTS = {
  namespace: 'Namespace',
  filter: 'Filter resources',
  filterHint: 'Resource, group',
  subresources: 'Subresources',
  allowed: 'Allowed',
  why: 'Why',
  failed: 'Cannot show these permissions',
  none: 'No permissions.',
  noMatches: 'No matches.',
  onResources: 'Permissions on resources',
  onPaths: 'Permissions on non-resource URLs',
  paths: 'Non-resource URLs',
  legend: 'Legend',
  notServed: 'not served',
  resource: 'Resource',
} as const

export const OUTCOMES = {
  allowed: 'allowed',
  some: 'specific names only',
  notAllowed: 'not allowed',
  denied: 'denied',
} as const

/** `list pods: allowed by RBAC` */
export const cellText = (
  request: string,
  outcome: string,
  {
    names,
    by,
    served,
  }: { names: readonly string[] | undefined; by: string | undefined; served: boolean },
): string =>
  [
    `${request}: ${outcome}`,
    names === undefined ? '' : ` (${names.join(', ')})`,
    by === undefined ? '' : ` by ${by}`,
    served ? '' : `, ${RIGHTS.notServed}`,
  ].join('')

export const AS_OF = {
  label: 'As of revision',
  short: 'as of',
  now: 'now',
} as const

export const asOfTitle = (newest: number): string =>
  `Shows roles and bindings as of a revision. The current revision is ${newest}.`

export const RISKS = {
  title: 'Privilege-escalation risks',
  about: 'These permissions allow more than their verbs and resources suggest.',
} as const

export const riskCount = (count: number): string =>
  count === 1 ? 'escalation risk' : 'escalation risks'

export const risksTitle = (count: number): string =>
  count === 1
    ? 'One permission is a privilege-escalation risk'
    : `${count} permissions are privilege-escalation risks`

/** @param binding whether the object is a binding, not a role */
export function risksOfObject(count: number, binding: boolean): string {
  const owner = binding ? 'its role' : 'this role'
  return count === 1
    ? `One permission of ${owner} is a privilege-escalation risk`
    : `${count} permissions of ${owner} are privilege-escalation risks`
}

export const EXPLANATION = {
  whoCan: 'Who can?',
  allowed: 'allowed',
  denied: 'denied',
  authorizers: 'Authorizers',
  whyAllowed: 'Why it is allowed',
  alsoByRoles: 'Roles also allow it',
  nearMisses: 'Near misses',
  noNearMisses: 'No binding of this subject comes close.',
} as const

export const bySubject = (subject: string, revision: number | undefined): string =>
  revision === undefined ? `by ${subject}` : `by ${subject} · roles as of revision ${revision}`

export const chainsAllow = (count: number): string =>
  count === 1 ? 'The binding chain that allows it' : `${count} binding chains allow it`

export const OPINIONS = {
  allow: 'allows',
  deny: 'denies',
  noOpinion: 'no opinion',
  notEvaluated: 'not evaluated',
} as const

export const CHAIN = {
  rule: 'Rule',
  aggregatedFrom: 'aggregated from',
  mismatch: '(does not match)',
} as const

export const chainOf = (kind: string, name: string): string => `By ${kind} ${name}`
export const nearMissOf = (kind: string, name: string): string => `${kind} ${name} falls short`

export const RULE_TITLES = {
  verbs: 'verbs',
  resources: 'resources',
  apiGroups: 'API groups',
  resourceNames: 'names',
  nonResourceURLs: 'paths',
} as const

export function shortfallText(
  lacks: Shortfall,
  role: { kind: string; name: string },
  bindingNamespace: string,
  { verb, name, group, resource, subresource, namespace }: QueryAttributes,
): string {
  switch (lacks) {
    case 'role':
      return `The ${role.kind} “${role.name}” does not exist`
    case 'verb':
      return `The rule does not include the verb “${verb}”`
    case 'name':
      return name === ''
        ? 'The rule is limited to certain object names'
        : `The rule does not include the object name “${name}”`
    case 'subresource': {
      const full = subresource === '' ? resource : `${resource}/${subresource}`
      return `The rule does not include “${full}”`
    }
    case 'namespace':
      return namespace === ''
        ? `The binding is in the namespace “${bindingNamespace}”; the request is for all namespaces`
        : `The binding is in the namespace “${bindingNamespace}”, not in “${namespace}”`
    case 'group':
      return `The rule does not include the API group “${group}”`
  }
}

export const WHO_CAN = {
  result: 'Who can: result',
  now: 'Show the current state',
  none: 'No subjects.',
  holders: 'Subjects',
} as const

export const whoCan = (request: string): string => `Who can ${request}?`

export const asOfRevision = (revision: number): string =>
  `Roles and bindings as of revision ${revision}.`

/** Why a subject is allowed without a role, by authorizer. */
export const WITHOUT_ROLE: Record<string, string> = {
  Superusers:
    'Members bypass authorization entirely: no role grants this, and nothing can revoke it.',
  Node: 'The Node authorizer allows kubelets what their pods need.',
  ABAC: 'A line of the policy file allows it.',
  AlwaysAllow: 'The AlwaysAllow mode allows all requests.',
}

export const allowedBy = (authorizer: string): string => `Allowed by the authorizer ${authorizer}.`

export const allPermissionsOf = (name: string): string => `All permissions of ${name}`

export const REVIEW = {
  request: 'Request to review',
  subject: 'Subject of the review',
  someoneElse: 'Another user',
  inNamespace: 'In a namespace',
  self: 'Current user',
  needsNamespace: 'A LocalSubjectAccessReview needs a resource and a namespace.',
  response: 'Server response',
  requestTitle: 'Request',
  method: 'POST',
  body: 'Body of the review',
  edit: 'Edit the body to add uid, extra, or selectors.',
  responseTitle: 'Response',
  verdict: 'Verdict',
  copyAs: 'Copy as',
} as const

export const REVIEW_FORMS = {
  kubectl: { title: 'kubectl', copied: 'The kubectl command' },
  curl: { title: 'curl', copied: 'The curl command' },
  fetch: { title: 'fetch', copied: 'The fetch call' },
} as const

export const checksOwn = (name: string): string => `${name} checks their own permissions.`

export const sentAs = (name: string): string => `sent as ${name}`

export const responseStatus = (status: number): string => `Response: HTTP ${status}`

export const reviewRejected = (message: string): string => `The review was rejected: ${message}`

export const LEAST = {
  recorded: 'Recorded requests',
  source: 'Source',
  requests: 'Requests',
  audit: 'Audit log',
  requestsOf: 'Requests of',
  noRequests: 'No requests yet.',
  noEvents: 'No audit events yet.',
  record: 'Act as this user and send the requests to allow; denied requests count too.',
  selectAll: 'Select all',
  clear: 'Clear',
  role: 'Role',
  title: 'Least-privilege role',
  select: 'Select recorded requests to generate the smallest role that allows them.',
  limitNames: 'Limit to these object names',
  yaml: 'Role as YAML',
  open: 'Open in the editor',
  reset: 'Reset to generated role',
} as const

export const selectedOf = (count: number, total: number): string => `${count} of ${total} selected`

export const bindTo = (user: string): string => `Bind to ${user}`

export const CHECK = {
  region: 'Still denied',
  allAllowed: 'All selected requests would be allowed',
  notStarted: 'the server has not started yet',
  noRole: 'it contains no Role or ClusterRole',
  noNamespace: 'a Role needs metadata.namespace: it is checked in that namespace',
} as const

export const invalidRules = (kind: string, name: string): string =>
  `the rules of ${kind} ${name} are not a list of rules`

export const checkFailed = (problem: string): string => `Cannot check this role: ${problem}`

export const stillDenied = (count: number): string => `Still denied: ${count}`

/** How the nearest rule differs from a denied request. */
export const NEAREST: Record<Shortfall, string> = {
  role: 'The role does not exist:',
  verb: 'The nearest rule has other verbs:',
  name: 'The nearest rule has other object names:',
  subresource: 'The nearest rule has other resources or subresources:',
  namespace: 'The nearest rule applies to another namespace:',
  group: 'The nearest rule has another API group:',
}

export const CONFIGURATION = {
  form: 'Configuration of access',
  restart: 'Restart with these settings',
  restarting: 'Restarting …',
  restarted: 'Restarted with new settings',
  discard: 'Discard changes',
  effect: 'A restart keeps all objects and closes open watches.',
  authorization: 'Authorization',
  by: 'Configured by',
  modes: 'Modes',
  file: 'Configuration file',
  modesAbout: '--authorization-mode: evaluated in order; the first allow or deny is final.',
  running: 'Active authorizers',
  authentication: 'Authentication',
  authenticationAbout:
    'In addition to the built-in users. To act as a user of the token file, add the token under Users.',
  anonymous: 'Anonymous requests',
  anonymousDefault: 'default: system:anonymous',
  anonymousOn: '--anonymous-auth=true',
  anonymousOff: '--anonymous-auth=false: 401',
  empty: 'None.',
  example: 'Insert example',
  keysFormat: '(JSON Web Key Set); if empty, discovered from the issuer',
  keysOf: 'Keys of',
  keysExample: '{"keys": []}',
} as const

export const keysOfIssuer = (issuer: string): string => `${CONFIGURATION.keysOf} ${issuer}`

export const invalidConfiguration = (reason: string): string =>
  `Invalid configuration; the previous one is still active: ${reason}`

export const CONFIGURATION_FILES = {
  configuration: 'Authorization configuration',
  policy: 'ABAC policy file: one JSON object per line',
  webhook: 'Webhook kubeconfig',
  tokens: 'Token file: token,user,uid,"group1,group2"',
  authentication: 'Authentication configuration for ID tokens',
} as const
