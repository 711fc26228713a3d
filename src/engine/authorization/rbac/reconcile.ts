/**
 * Restores the default roles and bindings at startup. kubernetes.io, "Using RBAC Authorization",
 * "Auto-reconciliation".
 */
import { equalJson, type JsonObject, type KubeObject } from '../../core/object'
import { uncoveredRules } from './coverage'
import type { PolicyRule } from './rules'

const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate'

export interface Reconciled {
  operation: 'none' | 'update' | 'recreate'
  /** An annotation opts the object out. */
  isProtected: boolean
  object: KubeObject
  /** Rules or subjects. */
  missing: JsonObject[]
  extra: JsonObject[]
}

const listOf = (object: KubeObject, member: string): JsonObject[] =>
  (object[member] as JsonObject[] | null | undefined) ?? []

function withMetadata(
  existing: KubeObject,
  { metadata: { labels, annotations } }: KubeObject,
): KubeObject {
  const { metadata } = existing
  const joined = (wanted?: Record<string, string>, own?: Record<string, string>) => ({
    ...wanted,
    ...own,
  })
  const result = { ...metadata }
  if (annotations) result.annotations = joined(annotations, metadata.annotations)
  if (labels) result.labels = joined(labels, metadata.labels)
  return { ...existing, metadata: result }
}

const isSameMetadata = (a: KubeObject, b: KubeObject): boolean =>
  equalJson(a.metadata.labels ?? {}, b.metadata.labels ?? {}) &&
  equalJson(a.metadata.annotations ?? {}, b.metadata.annotations ?? {})

const isProtected = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[AUTO_UPDATE] === 'false'

export function reconciledRole(
  existing: KubeObject,
  expected: KubeObject,
  removesExtra = false,
): Reconciled {
  const [own, wanted] = [listOf(existing, 'rules'), listOf(expected, 'rules')] as unknown as [
    PolicyRule[],
    PolicyRule[],
  ]
  // A controller sets the rules of aggregated roles.
  const gathers = Boolean(existing.aggregationRule && expected.aggregationRule)
  const missing = gathers ? [] : uncoveredRules(own, wanted)
  const extraRules = () => (gathers ? [] : (uncoveredRules(wanted, own) as unknown as JsonObject[]))
  const object = withMetadata(existing, expected)
  const isLacking = missing.length > 0 || (removesExtra && extraRules().length > 0)
  if (isLacking)
    object.rules = (removesExtra ? wanted : [...own, ...missing]) as unknown as JsonObject[]
  const selectors = selectorsOf(existing, expected, removesExtra)
  if (selectors !== undefined) object.aggregationRule = { clusterRoleSelectors: selectors }
  const isSame = !isLacking && selectors === undefined && isSameMetadata(object, existing)
  return {
    operation: isSame ? 'none' : 'update',
    isProtected: isProtected(existing),
    object,
    missing: missing as unknown as JsonObject[],
    // Lazy: the product may be large, and the server never needs it.
    get extra() {
      return extraRules()
    },
  }
}

/** undefined keeps the existing ones. */
function selectorsOf(
  existing: KubeObject,
  expected: KubeObject,
  removesExtra: boolean,
): JsonObject[] | undefined {
  const ofRole = ({ aggregationRule }: KubeObject) =>
    (aggregationRule as { clusterRoleSelectors?: JsonObject[] } | null | undefined)
      ?.clusterRoleSelectors ?? []
  const [own, wanted] = [ofRole(existing), ofRole(expected)]
  const missing = without(wanted, own)
  if (removesExtra)
    return missing.length > 0 || without(own, wanted).length > 0 ? wanted : undefined
  return missing.length > 0 ? [...own, ...missing] : undefined
}

const without = (items: readonly JsonObject[], others: readonly JsonObject[]): JsonObject[] =>
  items.filter((item) => !others.some((other) => equalJson(item, other)))

/** roleRef is immutable, so such a binding is recreated. */
export function reconciledBinding(
  existing: KubeObject,
  expected: KubeObject,
  removesExtra = false,
): Reconciled {
  const protectedFrom = isProtected(existing)
  if (!equalJson(existing.roleRef, expected.roleRef))
    return {
      operation: 'recreate',
      isProtected: protectedFrom,
      object: expected,
      missing: [],
      extra: [],
    }
  const [own, wanted] = [listOf(existing, 'subjects'), listOf(expected, 'subjects')]
  const [missing, extra] = [without(wanted, own), without(own, wanted)]
  const object = withMetadata(existing, expected)
  const isLacking = missing.length > 0 || (removesExtra && extra.length > 0)
  if (isLacking) object.subjects = removesExtra ? wanted : [...own, ...missing]
  const isSame = !isLacking && isSameMetadata(object, existing)
  return {
    operation: isSame ? 'none' : 'update',
    isProtected: protectedFrom,
    object,
    missing,
    extra,
  }
}
