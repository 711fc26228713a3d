/** Repairs of missing permissions. kubernetes.io, "Using RBAC Authorization". */
import { MEDIA_TYPE } from '../../core/names'
import type { JsonObject } from '../../core/object'
import type { RejectionGrounds } from '../../http/status'
import { goQuote } from '../../schema/go-text'
import { pathOf } from '../rejection'
import type { Rejection, RepairKind, RepairWrite } from '../repair'

type Denied = Extract<RejectionGrounds, { by: 'authorization' }>

const GROUP = 'rbac.authorization.k8s.io'
const ROOT = `/apis/${GROUP}/v1`
/** Requests with these verbs name no object, or one that does not exist. */
const UNNAMED = new Set(['create', 'list', 'watch', 'deletecollection'])

export const grantPermission: RepairKind = {
  name: 'GrantPermission',
  async candidates(rejection) {
    const { grounds, user } = rejection
    if (grounds?.by !== 'authorization') return []
    const verbs = await verbsOf(rejection, grounds)
    const scope = grounds.isResource ? grounds.namespace : ''
    const kind = scope === '' ? 'ClusterRole' : 'Role'
    const root = scope === '' ? ROOT : `${ROOT}/namespaces/${scope}`
    const plural = `${kind.toLowerCase()}s`
    const name = await freeName(
      rejection,
      [`${root}/${plural}`, `${root}/${bindingsOf(plural)}`],
      grounds,
    )
    const metadata = { name, ...(scope === '' ? {} : { namespace: scope }) }
    const object = (of: string, members: JsonObject): JsonObject => ({
      apiVersion: `${GROUP}/v1`,
      kind: of,
      metadata,
      ...members,
    })
    const writes = [
      created(`${root}/${plural}`, object(kind, { rules: [ruleOf(grounds, verbs)] })),
      created(
        `${root}/${bindingsOf(plural)}`,
        object(`${kind}Binding`, {
          subjects: [subjectOf(user)],
          roleRef: { apiGroup: GROUP, kind, name },
        }),
      ),
    ]
    return [{ title: `Allow ${user} to ${verbs.join(' and ')} ${targetOf(grounds)}`, writes }]
  },
}

const bindingsOf = (roles: string): string => `${roles.slice(0, -1)}bindings`

const created = (path: string, body: JsonObject): RepairWrite => ({
  method: 'POST',
  path,
  contentType: MEDIA_TYPE.json,
  body,
})

/** An apply that creates the object needs both. */
async function verbsOf({ request, read }: Rejection, { verb }: Denied): Promise<string[]> {
  if (verb !== 'patch' || request.contentType !== MEDIA_TYPE.applyPatch) return [verb]
  return (await read(pathOf(request))) === undefined ? ['create', verb] : [verb]
}

const qualified = ({ resource, subresource }: Denied): string =>
  subresource === '' ? resource : `${resource}/${subresource}`

function ruleOf(denied: Denied, verbs: string[]): JsonObject {
  const { isResource, path, group, name } = denied
  if (!isResource) return { nonResourceURLs: [path], verbs }
  const rule: JsonObject = { apiGroups: [group], resources: [qualified(denied)], verbs }
  if (name !== '' && !verbs.some((verb) => UNNAMED.has(verb))) rule.resourceNames = [name]
  return rule
}

function targetOf(denied: Denied): string {
  const { isResource, path, verb, name, namespace } = denied
  if (!isResource) return path
  const named = name === '' || UNNAMED.has(verb) ? '' : ` ${goQuote(name)}`
  const where = namespace === '' ? '' : ` in namespace ${goQuote(namespace)}`
  return `${qualified(denied)}${named}${where}`
}

function subjectOf(user: string): JsonObject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? []
  if (namespace !== undefined && name !== undefined)
    return { kind: 'ServiceAccount', namespace, name }
  return { apiGroup: GROUP, kind: 'User', name: user }
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

async function freeName(
  { read, user }: Rejection,
  collections: readonly string[],
  denied: Denied,
): Promise<string> {
  const { isResource, path, verb } = denied
  const parts = [user.split(':').at(-1) ?? '', verb, isResource ? qualified(denied) : path]
  const wanted = parts.map(plain).filter(Boolean).join('-').slice(0, 200)
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    const present = await Promise.all(
      collections.map((collection) => read(`${collection}/${name}`)),
    )
    if (present.every((object) => object === undefined)) return name
  }
}
