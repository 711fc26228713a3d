/** Service accounts, roles and bindings. */
import { entryOf, type JsonObject } from '../../../engine/core/object'
import type { Context, Flag } from '../../command'
import { qualified } from '../../discovery'
import { CommandError, PlainError } from '../../errors'
import { type Generator, type Making, newMetadata } from './generator'

const RBAC = 'rbac.authorization.k8s.io'
const RBAC_VERSION = `${RBAC}/v1`

const serviceAccount: Generator = {
  name: 'serviceaccount',
  called: 'serviceaccount:',
  aliases: ['sa'],
  summary: 'Create a service account with the specified name',
  usage: 'serviceaccount NAME [--dry-run=server|client|none]',
  example: 'create serviceaccount robot',
  resource: 'serviceaccounts',
  namespaced: true,
  flags: [],
  build: ({ name }) => ({ kind: 'ServiceAccount', apiVersion: 'v1', metadata: newMetadata(name) }),
}

const ROLE_FLAGS: readonly Flag[] = [
  {
    name: 'verb',
    type: 'list',
    about: 'Verb that applies to the resources contained in the rule.',
  },
  { name: 'resource', type: 'list', about: 'Resource that the rule applies to.' },
  {
    name: 'resource-name',
    type: 'texts',
    about:
      'Resource in the white list that the rule applies to, repeat this flag for multiple items.',
  },
]
const VERBS = [
  'get',
  'delete',
  'list',
  'create',
  'update',
  'patch',
  'watch',
  'proxy',
  'deletecollection',
  'use',
  'bind',
  'impersonate',
  'approve',
  'sign',
  'escalate',
  'attest',
]

const PATH_VERBS = ['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*']

const unique = (list: string[]): string[] => [...new Set(list)]

/** One rule for each group. @throws CommandError */
async function resourceRules({ invocation: { flags }, context }: Making): Promise<JsonObject[]> {
  const verbs = verbsOf(flags.list('verb'))
  const byGroup = new Map<string, string[]>()
  const words = unique(flags.list('resource'))
  for (const word of words.includes('*') ? ['*'] : words) {
    const [group, resource] = await groupAndResource(context, word, verbs)
    byGroup.set(group, [...(byGroup.get(group) ?? []), resource])
  }
  const names = unique(flags.list('resource-name'))
  return [...byGroup.keys()].sort().map((group) => ({
    verbs,
    apiGroups: [group],
    resources: byGroup.get(group) ?? [],
    ...(names.length === 0 ? {} : { resourceNames: names }),
  }))
}

/** `*` includes all verbs. */
const verbsOf = (verbs: string[]): string[] => (verbs.includes('*') ? ['*'] : unique(verbs))

async function groupAndResource(
  { discovery }: Context,
  word: string,
  verbs: readonly string[],
): Promise<[group: string, resource: string]> {
  if (word === '*') return ['', '*']
  const [type = '', ...sub] = word.split('/')
  const special = verbs.some((verb) => Object.hasOwn(OBJECTS_OF_VERB, verb))
  const { group, resource } = await discovery.find(type).catch((error: unknown) => {
    // Impersonation rules name resources that no server serves.
    if (special) return { group: '', resource: type }
    const [name, ...rest] = type.split('.')
    const where = rest.length === 0 ? '' : ` in group ${JSON.stringify(rest.join('.'))}`
    throw error instanceof CommandError
      ? new PlainError(`the server doesn't have a resource type ${JSON.stringify(name)}${where}`)
      : error
  })
  checkVerb(verbs, group, resource)
  return [group, [resource, ...sub].join('/')]
}

/** Verbs that rules can have only for certain resources. */
const OBJECTS_OF_VERB: Record<string, readonly string[]> = {
  use: [],
  bind: [`roles.${RBAC}`, `clusterroles.${RBAC}`],
  escalate: [`roles.${RBAC}`, `clusterroles.${RBAC}`],
  impersonate: ['users', 'serviceaccounts', 'groups', 'userextras.authentication.k8s.io'],
}

/** @throws CommandError for a verb that the resource lacks */
function checkVerb(verbs: readonly string[], group: string, resource: string): void {
  const odd = verbs.find(
    (verb) => entryOf(OBJECTS_OF_VERB, verb)?.includes(qualified({ group, resource })) === false,
  )
  if (odd !== undefined)
    throw new CommandError(`can not perform '${odd}' on '${resource}' in group '${group}'`)
}

function checkRole({ invocation: { flags }, context }: Making, paths: string[]): void {
  const verbs = verbsOf(flags.list('verb'))
  if (verbs.length === 0) throw new CommandError('at least one verb must be specified')
  if (flags.list('resource').length === 0 && paths.length === 0)
    throw new CommandError('at least one resource must be specified')
  const odd = verbs.filter((verb) => verb !== '*' && !VERBS.includes(verb))
  for (const verb of odd) context.err(`Warning: '${verb}' is not a standard resource verb\n`)
}

const role: Generator = {
  name: 'role',
  summary: 'Create a role with single rule',
  usage:
    'role NAME --verb=verb --resource=resource.group/subresource [--resource-name=resourcename]',
  example: 'create role reader --verb=get,list --resource=pods',
  resource: `roles.${RBAC}`,
  namespaced: true,
  flags: ROLE_FLAGS,
  async build(made) {
    checkRole(made, [])
    return {
      kind: 'Role',
      apiVersion: RBAC_VERSION,
      metadata: newMetadata(made.name),
      rules: await resourceRules(made),
    }
  },
}

const clusterRole: Generator = {
  name: 'clusterrole',
  summary: 'Create a cluster role',
  usage: 'clusterrole NAME --verb=verb --resource=resource.group [--resource-name=resourcename]',
  example: 'create clusterrole reader --verb=get,list --resource=nodes',
  resource: `clusterroles.${RBAC}`,
  namespaced: false,
  flags: [
    ...ROLE_FLAGS,
    {
      name: 'non-resource-url',
      type: 'list',
      about: 'A partial URL that user should have access to.',
    },
    {
      name: 'aggregation-rule',
      type: 'list',
      about: 'An aggregation label selector for combining ClusterRoles.',
    },
  ],
  async build(made) {
    const { flags } = made.invocation
    const head = { kind: 'ClusterRole', apiVersion: RBAC_VERSION, metadata: newMetadata(made.name) }
    const aggregated = flags.list('aggregation-rule')
    if (aggregated.length > 0) {
      const matchLabels = Object.fromEntries(
        aggregated.map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
      )
      return { ...head, rules: null, aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } }
    }
    const paths = flags.list('non-resource-url')
    const [odd] = paths.filter((path) => !path.startsWith('/') && path !== '*')
    if (odd !== undefined) throw new CommandError('nonResourceURL should start with /')
    const [unknown] =
      paths.length === 0 ? [] : flags.list('verb').filter((verb) => !PATH_VERBS.includes(verb))
    if (unknown !== undefined)
      throw new CommandError(`invalid verb: '${unknown}' for nonResourceURL`)
    checkRole(made, paths)
    const ofPaths =
      paths.length === 0 ? [] : [{ verbs: verbsOf(flags.list('verb')), nonResourceURLs: paths }]
    return { ...head, rules: [...(await resourceRules(made)), ...ofPaths] }
  },
}

const SUBJECT_FLAGS: readonly Flag[] = [
  {
    name: 'user',
    type: 'texts',
    about: 'Usernames to bind to the role. The flag can be repeated to add multiple users.',
  },
  {
    name: 'group',
    type: 'texts',
    about: 'Groups to bind to the role. The flag can be repeated to add multiple groups.',
  },
  {
    name: 'serviceaccount',
    type: 'texts',
    about:
      'Service accounts to bind to the role, in the format <namespace>:<name>. The flag can be repeated to add multiple service accounts.',
  },
]

function subjects({ invocation: { flags } }: Making): JsonObject[] {
  const named = (kind: string, flag: string): JsonObject[] =>
    flags.list(flag).map((name) => ({ kind, apiGroup: RBAC, name }))
  const accounts = flags.list('serviceaccount').map((text): JsonObject => {
    const [namespace, name, ...rest] = text.split(':')
    if (!namespace || !name || rest.length > 0)
      throw new CommandError('serviceaccount must be <namespace>:<name>')
    return { kind: 'ServiceAccount', name, namespace }
  })
  return [...named('User', 'user'), ...named('Group', 'group'), ...accounts]
}

function binding(kind: string, made: Making, roleKind: string, roleName: string): JsonObject {
  const list = subjects(made)
  return {
    kind,
    apiVersion: RBAC_VERSION,
    metadata: newMetadata(made.name),
    ...(list.length === 0 ? {} : { subjects: list }),
    roleRef: { apiGroup: RBAC, kind: roleKind, name: roleName },
  }
}

const roleBinding: Generator = {
  name: 'rolebinding',
  called: 'rolebinding:',
  summary: 'Create a role binding for a particular role or cluster role',
  usage:
    'rolebinding NAME --clusterrole=NAME|--role=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname]',
  example: 'create rolebinding readers --role=reader --user=anna',
  resource: `rolebindings.${RBAC}`,
  namespaced: true,
  flags: [
    { name: 'role', type: 'text', about: 'Role this RoleBinding should reference.' },
    { name: 'clusterrole', type: 'text', about: 'ClusterRole this binding should reference.' },
    ...SUBJECT_FLAGS,
  ],
  build(made) {
    const { flags } = made.invocation
    const [own, cluster] = [flags.text('role'), flags.text('clusterrole')]
    if ((own === '') === (cluster === ''))
      throw new CommandError('exactly one of clusterrole or role must be specified')
    return own === ''
      ? binding('RoleBinding', made, 'ClusterRole', cluster)
      : binding('RoleBinding', made, 'Role', own)
  },
}

const clusterRoleBinding: Generator = {
  name: 'clusterrolebinding',
  called: 'clusterrolebinding:',
  summary: 'Create a cluster role binding for a particular cluster role',
  usage:
    'clusterrolebinding NAME --clusterrole=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname]',
  example: 'create clusterrolebinding readers --clusterrole=view --group=devs',
  resource: `clusterrolebindings.${RBAC}`,
  namespaced: false,
  flags: [
    { name: 'clusterrole', type: 'text', about: 'ClusterRole this binding should reference.' },
    ...SUBJECT_FLAGS,
  ],
  build(made) {
    const cluster = made.invocation.flags.text('clusterrole')
    if (cluster === '') throw new CommandError('required flag(s) "clusterrole" not set')
    return binding('ClusterRoleBinding', made, 'ClusterRole', cluster)
  },
}

export const RIGHTS: readonly Generator[] = [
  serviceAccount,
  role,
  clusterRole,
  roleBinding,
  clusterRoleBinding,
]
