/** The smallest roles that allow a series of requests, and what given rules would still refuse; by the matcher of decisions. */
import { addToGroup } from '../../lists'
import type { Attributes } from '../authorizer'
import { shortfallOf } from '../rbac/near-misses'
import { type PolicyRule, ruleAllows } from '../rbac/rules'
import type {
  AskedAttributes,
  LeastRole,
  LeastRoleQuestion,
  RoleCheckQuestion,
  StillRefused,
} from './questions'

/** The order in which people write verbs. */
const VERB_ORDER = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
]

/** One verb on one resource, of one name or (with `''`) of any. */
interface Right {
  group: string
  /** With its subresource. */
  resource: string
  name: string
  verb: string
}

/** @returns one role for every namespace that requests went to and one for the cluster; what no role can allow is no part of them */
export function leastRoles({ requests, names }: LeastRoleQuestion): LeastRole[] {
  const scopes = new Map<string, AskedAttributes[]>()
  for (const request of requests) {
    const scope = request.isResource ? request.namespace : ''
    addToGroup(scopes, scope, request)
  }
  const wide = scopes.get('') ?? []
  return [...scopes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([namespace, asked]) => ({
      namespace,
      rules: rulesFor(namespace === '' ? asked : asked.filter(without(wide)), names),
    }))
    .filter(({ rules }) => rules.length > 0)
}

/** What is needed in the whole cluster need not be given again in a namespace; that of a single name there is another thing. */
const without = (wide: readonly AskedAttributes[]) => (one: AskedAttributes) =>
  !wide.some((other) => other.isResource && other.name === '' && sameRight(other, one))

const sameRight = (a: AskedAttributes, b: AskedAttributes): boolean =>
  a.verb === b.verb &&
  a.group === b.group &&
  a.resource === b.resource &&
  a.subresource === b.subresource

function rulesFor(requests: readonly AskedAttributes[], names: boolean): PolicyRule[] {
  const rights = distinct(
    requests
      .filter(({ isResource }) => isResource)
      .map(({ group, resource, subresource, name, verb }): Right => {
        const full = subresource === '' ? resource : `${resource}/${subresource}`
        return { group, resource: full, name: names ? name : '', verb }
      }),
  )
  const needed = rights.filter(
    (right) =>
      right.name === '' || !rights.some((other) => other.name === '' && isSame(other, right)),
  )
  return [...resourceRules(needed), ...pathRules(requests.filter(({ isResource }) => !isResource))]
}

const isSame = (a: Right, b: Right): boolean =>
  a.group === b.group && a.resource === b.resource && a.verb === b.verb

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/** Rights are only put together where the rule says just what they say one by one. */
function resourceRules(rights: readonly Right[]): PolicyRule[] {
  const verbsOfOne = grouped(rights, ({ group, resource, name }) => [group, resource, name])
  const withVerbs = verbsOfOne.map((ofOne) => {
    const { group, resource, name } = ofOne[0] as Right
    return { group, resource, name, verbs: inOrder(ofOne.map(({ verb }) => verb)) }
  })
  const withNames = grouped(withVerbs, ({ group, resource, name, verbs }) => [
    group,
    resource,
    name === '',
    verbs,
  ]).map((ofOne) => {
    const { group, resource, verbs } = ofOne[0] as (typeof withVerbs)[number]
    return {
      group,
      resource,
      verbs,
      names: ofOne
        .map(({ name }) => name)
        .filter((name) => name !== '')
        .sort(),
    }
  })
  return grouped(withNames, ({ group, names, verbs }) => [group, names, verbs])
    .map((ofOne): PolicyRule => {
      const { group, verbs, names } = ofOne[0] as (typeof withNames)[number]
      const resources = ofOne.map(({ resource }) => resource).sort()
      return {
        verbs,
        apiGroups: [group],
        resources,
        ...(names.length > 0 ? { resourceNames: names } : {}),
      }
    })
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

const placeOf = ({ apiGroups, resources, resourceNames }: PolicyRule): string =>
  JSON.stringify([apiGroups, resources, resourceNames?.join() ?? ''])

function pathRules(requests: readonly AskedAttributes[]): PolicyRule[] {
  const verbsOfOne = grouped(requests, ({ path }) => [path]).map((ofOne) => ({
    path: (ofOne[0] as AskedAttributes).path,
    verbs: inOrder(ofOne.map(({ verb }) => verb)),
  }))
  return grouped(verbsOfOne, ({ verbs }) => verbs).map((ofOne) => ({
    verbs: (ofOne[0] as (typeof verbsOfOne)[number]).verbs,
    nonResourceURLs: ofOne.map(({ path }) => path).sort(),
  }))
}

function inOrder(verbs: readonly string[]): string[] {
  const place = (verb: string) =>
    VERB_ORDER.includes(verb) ? VERB_ORDER.indexOf(verb) : VERB_ORDER.length
  return [...new Set(verbs)].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
}

function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => unknown): Value[][] {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = JSON.stringify(keyOf(value))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return [...groups.values()]
}

const NOBODY = { name: '', groups: [] }

/** @returns the requests that the rules do not allow where they are bound, with the rule that comes closest */
export function stillRefused({ rules, namespace, requests }: RoleCheckQuestion): StillRefused[] {
  return requests.flatMap((asked, index): StillRefused[] => {
    const attributes: Attributes = { ...asked, user: NOBODY }
    const allowing = rules.find((rule) => ruleAllows(rule, attributes))
    const isElsewhere = namespace !== '' && (!asked.isResource || asked.namespace !== namespace)
    if (allowing !== undefined)
      return isElsewhere ? [{ index, rule: allowing, lacks: 'namespace' }] : []
    if (isElsewhere) return [{ index }]
    for (const rule of rules) {
      const lacks = shortfallOf(rule, attributes)
      if (lacks !== undefined) return [{ index, rule, lacks }]
    }
    return [{ index }]
  })
}
