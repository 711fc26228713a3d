/** Uncovered permissions, as `kubectl auth reconcile` prints them. */
import { Cover, EVERY_RULE, type Mask, type Product } from './cover'
import { ALL, type PolicyRule } from './rules'

export const FULL_AUTHORITY: readonly PolicyRule[] = [
  { verbs: [ALL], apiGroups: [ALL], resources: [ALL] },
  { verbs: [ALL], nonResourceURLs: [ALL] },
]

/** One rule for each verb and resource, name or path. */
export function uncoveredRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  const cover = new Cover(held)
  return wanted.flatMap((rule) => [
    ...uncoveredIn(cover.product(rule), rule),
    ...uncoveredPaths(cover, rule),
  ])
}

/** By group, resource, verb, name. */
function* uncoveredIn(
  { what, verbs, uncovered }: Product,
  rule: PolicyRule,
): Generator<PolicyRule> {
  const [groups, resources, names] = what
  const named = rule.resourceNames?.length ? rule.resourceNames : [undefined]
  const maskOf = (dimension: Product['verbs'], value: string): Mask =>
    dimension.get(value)?.mask ?? 0n
  for (const group of rule.apiGroups ?? []) {
    const ofGroup = EVERY_RULE & maskOf(groups, group)
    if (uncovered(1, ofGroup) === 0) continue
    for (const resource of rule.resources ?? []) {
      const ofResource = ofGroup & maskOf(resources, resource)
      if (uncovered(2, ofResource) === 0) continue
      for (const verb of rule.verbs ?? []) {
        const ofVerb = ofResource & maskOf(verbs, verb)
        for (const name of named) {
          if ((ofVerb & (names.get(name)?.mask ?? 0n)) !== 0n) continue
          const resourceNames = name === undefined ? {} : { resourceNames: [name] }
          yield { verbs: [verb], apiGroups: [group], resources: [resource], ...resourceNames }
        }
      }
    }
  }
}

function uncoveredPaths(cover: Cover, { nonResourceURLs, verbs }: PolicyRule): PolicyRule[] {
  return (nonResourceURLs ?? []).flatMap((path) =>
    (verbs ?? [])
      .filter((verb) => !cover.coversPath(path, verb))
      .map((verb) => ({ verbs: [verb], nonResourceURLs: [path] })),
  )
}
