/** Uses the matcher of decisions. */
import { addToGroup } from '../../core/lists'
import type { Attributes } from '../authorizer'
import { shortfallOf } from '../rbac/near-misses'
import { type PolicyRule, ruleAllows } from '../rbac/rules'
import type {
  LeastRole,
  LeastRoleQuery,
  QueryAttributes,
  RoleCheckQuery,
  StillDenied,
} from './types'

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

/** Name `''`: any. */
interface Permission {
  group: string
  resource: string
  name: string
  verb: string
}

/** One role per namespace and one for the cluster, without requests that no role can allow. */
export function leastRoles({ requests, names }: LeastRoleQuery): LeastRole[] {
  const scopes = new Map<string, QueryAttributes[]>()
  for (const request of requests) {
    const scope = request.isResource ? request.namespace : ''
    addToGroup(scopes, scope, request)
  }
  const wide = scopes.get('') ?? []
  return [...scopes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([namespace, scoped]) => ({
      namespace,
      rules: rulesFor(namespace === '' ? scoped : scoped.filter(without(wide)), names),
    }))
    .filter(({ rules }) => rules.length > 0)
}

/** Removes what the cluster role permits, except single names. */
const without = (wide: readonly QueryAttributes[]) => (one: QueryAttributes) =>
  !wide.some((other) => other.isResource && other.name === '' && sameRight(other, one))

const sameRight = (a: QueryAttributes, b: QueryAttributes): boolean =>
  a.verb === b.verb &&
  a.group === b.group &&
  a.resource === b.resource &&
  a.subresource === b.subresource

function rulesFor(requests: readonly QueryAttributes[], names: boolean): PolicyRule[] {
  const rights = distinct(
    requests
      .filter(({ isResource }) => isResource)
      .map(({ group, resource, subresource, name, verb }): Permission => {
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

const isSame = (a: Permission, b: Permission): boolean =>
  a.group === b.group && a.resource === b.resource && a.verb === b.verb

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/** Merges permissions only if the rule allows exactly the same requests. */
function resourceRules(rights: readonly Permission[]): PolicyRule[] {
  const verbsOfOne = grouped(rights, ({ group, resource, name }) => [group, resource, name])
  const withVerbs = verbsOfOne.map((ofOne) => {
    const { group, resource, name } = ofOne[0] as Permission
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

function pathRules(requests: readonly QueryAttributes[]): PolicyRule[] {
  const verbsOfOne = grouped(requests, ({ path }) => [path]).map((ofOne) => ({
    path: (ofOne[0] as QueryAttributes).path,
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

const NO_USER = { name: '', groups: [] }

/** Each denied request with the rule that comes closest. */
export function stillDenied({ rules, namespace, requests }: RoleCheckQuery): StillDenied[] {
  return requests.flatMap((request, index): StillDenied[] => {
    const attributes: Attributes = { ...request, user: NO_USER }
    const allowing = rules.find((rule) => ruleAllows(rule, attributes))
    const isElsewhere = namespace !== '' && (!request.isResource || request.namespace !== namespace)
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
