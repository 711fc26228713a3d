/**
 * Which permissions of some rules other rules cover (k8s.io/kubernetes pkg/registry/rbac/validation, Covers). Rules are broken
 * down to single permissions, each of which one rule must cover.
 */
import { ALL, type PolicyRule, pathCovers } from './rules'

/** One verb on one resource (of one name or of any), or on one path. */
type Right =
  | { verb: string; group: string; resource: string; name?: string }
  | { verb: string; path: string }

/** Everything there is to be allowed. */
export const FULL_AUTHORITY: readonly PolicyRule[] = [
  { verbs: [ALL], apiGroups: [ALL], resources: [ALL] },
  { verbs: [ALL], nonResourceURLs: [ALL] },
]

/** The rights of `wanted` that no rule of `held` covers, each as a rule of its own. */
export function uncoveredRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  const uncovered = wanted
    .flatMap(rightsOf)
    .filter((right) => !held.some((rule) => covers(rule, right)))
  return uncovered.map((right) => {
    if ('path' in right) return { verbs: [right.verb], nonResourceURLs: [right.path] }
    const names = right.name === undefined ? {} : { resourceNames: [right.name] }
    return { verbs: [right.verb], apiGroups: [right.group], resources: [right.resource], ...names }
  })
}

function rightsOf(rule: PolicyRule): Right[] {
  const verbs = rule.verbs ?? []
  const names = rule.resourceNames?.length ? rule.resourceNames : [undefined]
  const onResources = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map(
          (name): Right => ({ verb, group, resource, ...(name === undefined ? {} : { name }) }),
        ),
      ),
    ),
  )
  const onPaths = (rule.nonResourceURLs ?? []).flatMap((path) =>
    verbs.map((verb): Right => ({ verb, path })),
  )
  return [...onResources, ...onPaths]
}

const includes = (list: readonly string[] | null | undefined, value: string): boolean =>
  list !== null && list !== undefined && (list.includes(ALL) || list.includes(value))

function covers(rule: PolicyRule, right: Right): boolean {
  if (!includes(rule.verbs, right.verb)) return false
  if ('path' in right)
    return (
      !rule.resourceNames?.length &&
      (rule.nonResourceURLs ?? []).some((held) => pathCovers(held, right.path))
    )
  const names = rule.resourceNames ?? []
  return (
    includes(rule.apiGroups, right.group) &&
    resourceCovered(rule.resources ?? [], right.resource) &&
    (names.length === 0 || (right.name !== undefined && names.includes(right.name)))
  )
}

/** `*∕scale` covers `deployments/scale`; `deployments` does not. */
function resourceCovered(held: readonly string[], resource: string): boolean {
  if (includes(held, resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && held.includes(`*${resource.slice(slash)}`)
}
