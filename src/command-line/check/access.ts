/** Who loses and gains access: the permissions of each bound subject, before and after a change. */
import type { ApiObject, TestServer, TestUser } from '../../package/types'
import type { Finding } from './findings'

interface Subject {
  kind: string
  name: string
  namespace?: string
}

interface Binding extends ApiObject {
  subjects?: Subject[]
}

interface ResourceRule {
  verbs?: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
}

/** Subjects and the namespaces that bindings name, each with its permissions. */
export type AccessTable = ReadonlyMap<string, ReadonlySet<string>>

const RBAC = 'rbac.authorization.k8s.io/v1'
/** Permissions there are those of every namespace: they come from ClusterRoleBindings. */
const EVERYWHERE = 'default'
/** Kubernetes's own subjects, whose bindings every cluster has. */
const OWN = /^system:/

/** `ServiceAccount shop/web in shop` to `get pods`, `list apps/deployments`. */
export async function accessIn(server: TestServer): Promise<AccessTable> {
  const bindings = [
    ...(await server.client.list<Binding>({ apiVersion: RBAC, kind: 'ClusterRoleBinding' })),
    ...(await server.client.list<Binding>({ apiVersion: RBAC, kind: 'RoleBinding' })),
  ]
  const places = new Map<string, { subject: Subject; namespace: string }>()
  for (const { subjects = [], metadata } of bindings)
    for (const subject of subjects) {
      if (OWN.test(subject.name)) continue
      const namespace = metadata?.namespace ?? EVERYWHERE
      places.set(`${titleOf(subject)} in namespace ${namespace}`, { subject, namespace })
    }
  const table = new Map<string, ReadonlySet<string>>()
  for (const [title, { subject, namespace }] of places)
    table.set(title, await permissions(server, userOf(subject), namespace))
  return table
}

function titleOf({ kind, name, namespace }: Subject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** A user that is the subject, or a member of the group. */
function userOf({ kind, name, namespace = 'default' }: Subject): TestUser {
  if (kind === 'Group') return { name: 'member-of-the-group', groups: [name] }
  if (kind === 'User') return { name }
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  }
}

async function permissions(
  server: TestServer,
  user: TestUser,
  namespace: string,
): Promise<ReadonlySet<string>> {
  const review = await server
    .as({ ...user, groups: [...(user.groups ?? []), AUTHENTICATED] })
    .create({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace },
    })
  const { resourceRules = [] } =
    (
      review as ApiObject & {
        status?: { resourceRules?: ResourceRule[] }
      }
    ).status ?? {}
  return new Set(resourceRules.flatMap(permissionsOf))
}

const AUTHENTICATED = 'system:authenticated'
/** A rule with more combinations stays one permission. */
const MOST_COMBINATIONS = 1000

function permissionsOf({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
}: ResourceRule): string[] {
  const names = resourceNames.length === 0 ? [''] : resourceNames.map((name) => ` "${name}"`)
  if (verbs.length * apiGroups.length * resources.length * names.length > MOST_COMBINATIONS)
    return [JSON.stringify({ verbs, apiGroups, resources, resourceNames })]
  return verbs.flatMap((verb) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        names.map((name) => `${verb} ${group === '' ? '' : `${group}/`}${resource}${name}`),
      ),
    ),
  )
}

export function accessChanges(before: AccessTable, after: AccessTable): Finding[] {
  const subjects = new Set([...before.keys(), ...after.keys()])
  return [...subjects].flatMap((object) => {
    const had = before.get(object) ?? NONE
    const has = after.get(object) ?? NONE
    const lost = [...had].filter((permission) => !has.has(permission))
    const gained = [...has].filter((permission) => !had.has(permission))
    return [
      ...changeOf('AccessLost', object, lost, 'can no longer'),
      ...changeOf('AccessGained', object, gained, 'can now'),
    ]
  })
}

const NONE: ReadonlySet<string> = new Set()

function changeOf(
  rule: 'AccessLost' | 'AccessGained',
  object: string,
  permissions: readonly string[],
  words: string,
): Finding[] {
  if (permissions.length === 0) return []
  return [{ level: 'warning', rule, object, message: `${words}: ${permissions.join(', ')}` }]
}
