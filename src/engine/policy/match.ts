/**
 * kubernetes.io, ValidatingAdmissionPolicy v1, MatchResources. Recordings: policy-match,
 * policy-webhookcfg.
 */
import type { AdmissionAttributes } from '../admission/admission'
import type { MaybePromise } from '../core/maybe-promise'
import type { GroupVersionKind } from '../core/object'
import { notFound } from '../http/status'
import { type LabelSelector, matchesLabels, selectorOf } from '../selectors/labels'
import type { MatchResources, Rule } from './objects'

export interface ResourceVersion {
  group: string
  version: string
  resource: string
}

export interface ServedAs extends ResourceVersion {
  kind: GroupVersionKind
}

export interface Criteria {
  /** Absent: everything. */
  rules: readonly Rule[] | undefined
  excluded: readonly Rule[]
  /** Other versions and groups of the same objects match too. */
  equivalent: boolean
  namespaces: LabelSelector
  objects: LabelSelector
  /** Without criteria every request matches, in its own version. */
  open: boolean
}

/** Without rules policies match everything, webhooks nothing. */
export function criteriaOf(match: MatchResources & { rules?: Rule[] | null }): Criteria {
  const rules = match.rules ?? (match.resourceRules?.length ? match.resourceRules : undefined)
  const excluded = match.excludeResourceRules ?? []
  const namespaces = selectorOf(match.namespaceSelector as Parameters<typeof selectorOf>[0]) ?? []
  const objects = selectorOf(match.objectSelector as Parameters<typeof selectorOf>[0]) ?? []
  const open = rules === undefined && excluded.length + namespaces.length + objects.length === 0
  return { rules, excluded, equivalent: match.matchPolicy !== 'Exact', namespaces, objects, open }
}

export interface MatchEnvironment<Form extends ServedAs> {
  requested(attributes: AdmissionAttributes): Form
  /** Including the request's. */
  equivalents(attributes: AdmissionAttributes): readonly Form[]
  /** undefined if the namespace does not exist. */
  namespaceLabels(name: string): Promise<Record<string, string> | undefined>
}

type Matched = Pick<AdmissionAttributes, 'operation' | 'subresource' | 'name' | 'namespace'>

/**
 * @returns a promise only if namespace labels must be read
 * @throws ApiError 404 for a missing namespace
 */
export function matches<Form extends ServedAs>(
  criteria: Criteria,
  attributes: AdmissionAttributes,
  environment: MatchEnvironment<Form>,
): MaybePromise<Form | undefined> {
  if (criteria.open) return environment.requested(attributes)
  if (!matchesObjects(criteria.objects, attributes)) return undefined
  const requested = environment.requested(attributes)
  const equivalents = () => (criteria.equivalent ? environment.equivalents(attributes) : [])
  if (matchRules(criteria.excluded, attributes, requested, equivalents) !== undefined)
    return undefined
  const found =
    criteria.rules === undefined
      ? requested
      : matchRules(criteria.rules, attributes, requested, equivalents)
  if (found === undefined) return undefined
  const inNamespace = matchesNamespace(criteria.namespaces, attributes, environment)
  if (typeof inNamespace === 'boolean') return inNamespace ? found : undefined
  return inNamespace.then((is) => (is ? found : undefined))
}

export function concerns(
  { rules }: Criteria,
  { group, resource }: Pick<ResourceVersion, 'group' | 'resource'>,
): boolean {
  if (rules === undefined) return true
  return rules.some(
    (rule) =>
      names(rule.apiGroups, group) &&
      (rule.resources ?? []).some((pattern) =>
        namesResource(pattern.split('/', 1)[0] ?? '', resource),
      ),
  )
}

/** The requested form takes precedence over equivalent ones. */
export function matchRules<Form extends ResourceVersion>(
  rules: readonly Rule[],
  attributes: Matched,
  requested: Form,
  equivalents: () => readonly Form[],
): Form | undefined {
  if (rules.length === 0) return undefined
  if (rules.some((rule) => ruleMatches(rule, attributes, requested))) return requested
  const others = equivalents().filter((other) => !sameResource(other, requested))
  for (const rule of rules)
    for (const other of others) if (ruleMatches(rule, attributes, other)) return other
  return undefined
}

const sameResource = (a: ResourceVersion, b: ResourceVersion): boolean =>
  a.group === b.group && a.version === b.version && a.resource === b.resource

const ANY = '*'
const names = (list: readonly string[] | undefined | null, name: string): boolean =>
  list !== undefined && list !== null && (list.includes(ANY) || list.includes(name))

function ruleMatches(rule: Rule, attributes: Matched, as: ResourceVersion): boolean {
  return (
    inScope(rule.scope, attributes, as) &&
    names(rule.operations, attributes.operation) &&
    names(rule.apiGroups, as.group) &&
    names(rule.apiVersions, as.version) &&
    (rule.resources ?? []).some((pattern) =>
      coversResource(pattern, as.resource, attributes.subresource),
    ) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(attributes.name))
  )
}

/** Namespaces are cluster-scoped, although requests name them as their namespace. */
function inScope(
  scope: string | undefined,
  { namespace }: Matched,
  { group, resource }: ResourceVersion,
): boolean {
  if (scope === undefined || scope === ANY) return true
  const namespaced = namespace !== '' && !(group === '' && resource === 'namespaces')
  return namespaced === (scope === 'Namespaced')
}

function coversResource(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/')
  const [whole, part] =
    slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)]
  return namesResource(whole, resource) && (part === ANY || part === subresource)
}

const namesResource = (pattern: string, resource: string): boolean =>
  pattern === ANY || pattern === resource

/** Also matches the old object, so that removing labels does not evade a policy. */
function matchesObjects(
  selector: LabelSelector,
  { operation, object, oldObject }: AdmissionAttributes,
): boolean {
  if (selector.length === 0) return true
  if (operation === 'CONNECT') return false
  return [object, oldObject].some(
    (state) => state !== undefined && matchesLabels(selector, state.metadata?.labels),
  )
}

function matchesNamespace(
  selector: LabelSelector,
  attributes: AdmissionAttributes,
  environment: Pick<MatchEnvironment<ServedAs>, 'namespaceLabels'>,
): MaybePromise<boolean> {
  const { namespace, resource, subresource, operation, object } = attributes
  if (selector.length === 0 || (namespace === '' && resource !== 'namespaces')) return true
  // A namespace is matched by the labels that it will have.
  const written =
    resource === 'namespaces' &&
    subresource === '' &&
    operation !== 'DELETE' &&
    operation !== 'CONNECT'
  if (written) return matchesLabels(selector, object?.metadata.labels)
  return environment.namespaceLabels(namespace).then((labels) => {
    if (labels === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace)
    return matchesLabels(selector, labels)
  })
}
