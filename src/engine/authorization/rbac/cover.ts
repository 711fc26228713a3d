/**
 * k8s.io/component-helpers auth/rbac/validation, Covers. 1.5 KB of verbs, groups, resources and
 * names can be 13 million permissions, so each element has a mask of the user's rules that cover
 * it. A permission is covered if its masks have a common bit.
 */
import { ALL, type PolicyRule, pathCovers } from './rules'

/** A bit per rule of the user. */
export type Mask = bigint

export const EVERY_RULE: Mask = -1n

interface Element {
  mask: Mask
  /** How often the rule repeats it. */
  times: number
}

/** Without resource names the only name is `undefined`. */
export type Dimension = ReadonlyMap<string | undefined, Element>

/** A permission is one element of each dimension. */
export interface Product {
  verbs: Dimension
  /** As in the rule, with repeats. */
  listed: readonly string[]
  /** Outermost first in descriptions. */
  what: readonly [Dimension, Dimension, Dimension]
  /** Permissions inward from a depth, for outer elements with this mask. */
  uncovered(depth: number, outer: Mask): number
}

export class TooManyCombinations extends Error {}

/** A step is an AND of masks of up to `STEP_BITS` rules. */
export class Budget {
  constructor(private left: number) {}

  /** @throws TooManyCombinations */
  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new TooManyCombinations()
  }
}

const STEP_BITS = 1024

export class Cover {
  private readonly held: {
    rule: PolicyRule
    verbs: Set<string>
    groups: Set<string>
    resources: Set<string>
    names: Set<string>
  }[]

  /** @param budget unlimited if absent */
  constructor(
    held: readonly PolicyRule[],
    private readonly budget?: Budget,
  ) {
    this.held = held.map((rule) => ({
      rule,
      verbs: new Set(rule.verbs),
      groups: new Set(rule.apiGroups),
      resources: new Set(rule.resources),
      names: new Set(rule.resourceNames),
    }))
  }

  product(rule: PolicyRule): Product {
    const verbs = this.dimension(rule.verbs ?? [], (held, verb) => hasOrAll(held.verbs, verb))
    const groups = this.dimension(rule.apiGroups ?? [], (held, group) =>
      hasOrAll(held.groups, group),
    )
    const resources = this.dimension(rule.resources ?? [], (held, resource) =>
      coversResource(held.resources, resource),
    )
    const names = rule.resourceNames?.length
      ? this.dimension(
          rule.resourceNames,
          (held, name) => held.names.size === 0 || held.names.has(name),
        )
      : new Map([[undefined, { mask: this.maskOf((held) => held.names.size === 0), times: 1 }]])
    return {
      verbs,
      listed: rule.verbs ?? [],
      what: [groups, resources, names],
      uncovered: counter([groups, resources, names, verbs], (steps) =>
        this.budget?.spend(steps * Math.ceil((this.held.length + 1) / STEP_BITS)),
      ),
    }
  }

  coversPath(path: string, verb: string): boolean {
    return this.held.some(
      ({ rule, verbs, names }) =>
        names.size === 0 &&
        hasOrAll(verbs, verb) &&
        (rule.nonResourceURLs ?? []).some((pattern) => pathCovers(pattern, path)),
    )
  }

  private dimension(
    values: readonly string[],
    covers: (held: Cover['held'][number], value: string) => boolean,
  ): Dimension {
    const elements = new Map<string, Element>()
    for (const value of values) {
      const known = elements.get(value)
      if (known) known.times++
      else elements.set(value, { mask: this.maskOf((held) => covers(held, value)), times: 1 })
    }
    return elements
  }

  private maskOf(covers: (held: Cover['held'][number]) => boolean): Mask {
    // Adding bits one by one would copy the mask each time.
    const bits = this.held.map((held) => (covers(held) ? '1' : '0')).reverse()
    return BigInt(`0b0${bits.join('')}`)
  }
}

const hasOrAll = (held: ReadonlySet<string>, value: string): boolean =>
  held.has(ALL) || held.has(value)

/** `*∕scale` covers `deployments/scale`; `deployments` does not. */
function coversResource(held: ReadonlySet<string>, resource: string): boolean {
  if (hasOrAll(held, resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && held.has(`*${resource.slice(slash)}`)
}

/** Counts elements with equal masks together. */
function counter(
  dimensions: readonly Dimension[],
  spend: (steps: number) => void,
): Product['uncovered'] {
  const classes = dimensions.map(timesByMask)
  const counts = dimensions.map(() => new Map<Mask, number>())
  const count = (depth: number, outer: Mask): number => {
    const dimension = classes[depth]
    if (dimension === undefined) return outer === 0n ? 1 : 0
    const known = counts[depth]?.get(outer)
    if (known !== undefined) return known
    spend(dimension.size)
    let sum = 0
    for (const [mask, times] of dimension) sum += times * count(depth + 1, outer & mask)
    counts[depth]?.set(outer, sum)
    return sum
  }
  return count
}

function timesByMask(elements: Dimension): Map<Mask, number> {
  const times = new Map<Mask, number>()
  for (const element of elements.values())
    times.set(element.mask, (times.get(element.mask) ?? 0) + element.times)
  return times
}
