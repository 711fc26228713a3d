/**
 * What a user lacks to grant some rules, as the escalation check reports it (k8s.io/kubernetes, "Privilege escalation prevention
 * and bootstrapping").
 *
 * A rule stands for the product of its verbs, groups, resources and names, which kube-apiserver writes out: 1.5 KB are 13 million
 * permissions. Here each verb, group, resource and name has a mask of the held rules that cover it. A permission is covered if its
 * masks have a bit in common, and elements with equal masks are decided together.
 */
import { goQuote } from '../../schema/go-text'
import { ALL, type PolicyRule, pathCovers } from './rules'

/** Characters of the descriptions of one response. */
const MAX_CHARACTERS = 2 ** 20

/** The held rules, by index, that cover something. */
type Mask = bigint

const EVERY_RULE: Mask = -1n

interface Element {
  mask: Mask
  /** How often the rule names it. */
  times: number
}

/** The elements of one dimension, by value; without resource names the rule has the one name `undefined`. */
type Dimension = ReadonlyMap<string | undefined, Element>

/** A rule broken down: a permission is one element of each dimension. */
interface Product {
  verbs: Dimension
  /** The verbs as the rule lists them, with repeats. */
  listed: readonly string[]
  /** From the outermost to the innermost in the descriptions: groups, resources, names. */
  what: readonly [Dimension, Dimension, Dimension]
  /** How many permissions are uncovered, for those whose outer elements have a mask in common, by depth and that mask. */
  uncovered(depth: number, outer: Mask): number
}

interface Missing {
  /** One description for each resource and name, or path, sorted. */
  descriptions: string[]
  /** Permissions that are not described, beyond the bound. */
  omitted: number
}

/** Describes the permissions of `wanted` that no rule of `held` covers. */
export function missingPermissions(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): Missing {
  const cover = new Cover(held)
  const products = wanted.map((rule) => cover.product(rule))
  const paths = cover.missingPaths(wanted)
  const total = products.reduce(
    (sum, product) => sum + product.uncovered(0, EVERY_RULE),
    paths.length,
  )
  const descriptions: string[] = []
  let described = 0
  let characters = 0
  for (const { text, permissions } of allDescriptions(products, paths)) {
    if (descriptions.length > 0 && characters + text.length > MAX_CHARACTERS) break
    descriptions.push(text)
    described += permissions
    characters += text.length
  }
  return { descriptions, omitted: total - described }
}

class Cover {
  private readonly held: {
    rule: PolicyRule
    verbs: Set<string>
    groups: Set<string>
    resources: Set<string>
    names: Set<string>
  }[]

  constructor(held: readonly PolicyRule[]) {
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
      uncovered: counter([groups, resources, names, verbs]),
    }
  }

  /** Paths are covered by pattern, verb by verb; one path and verb is described once. */
  missingPaths(wanted: readonly PolicyRule[]): string[] {
    const missing = new Set<string>()
    for (const { nonResourceURLs = [], verbs } of wanted) {
      for (const path of nonResourceURLs) {
        for (const verb of verbs ?? []) {
          if (missing.size * path.length > MAX_CHARACTERS) break
          if (!this.coversPath(path, verb))
            missing.add(`{NonResourceURLs:[${goQuote(path)}], Verbs:[${goQuote(verb)}]}`)
        }
      }
    }
    return [...missing].sort()
  }

  private coversPath(path: string, verb: string): boolean {
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
    return this.held.reduce(
      (mask, held, index) => (covers(held) ? mask | (1n << BigInt(index)) : mask),
      0n,
    )
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

/** Counts uncovered permissions from a depth inward. Elements with equal masks count together, and counts are kept. */
function counter(dimensions: readonly Dimension[]): Product['uncovered'] {
  const classes = dimensions.map(timesByMask)
  const counts = dimensions.map(() => new Map<Mask, number>())
  const count = (depth: number, outer: Mask): number => {
    const dimension = classes[depth]
    if (dimension === undefined) return outer === 0n ? 1 : 0
    const known = counts[depth]?.get(outer)
    if (known !== undefined) return known
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

/** A product of which the outer elements are chosen. */
interface Part {
  product: Product
  outer: Mask
  /** How often the rule names the chosen elements. */
  times: number
  name?: string | undefined
}

interface Description {
  text: string
  permissions: number
}

const LABELS = ['APIGroups', 'Resources', 'ResourceNames']

/** In order of their texts, made as they are asked for. */
function* allDescriptions(
  products: readonly Product[],
  paths: readonly string[],
): Generator<Description> {
  yield* descriptionsFrom(
    products.map((product) => ({ product, outer: EVERY_RULE, times: 1 })),
    0,
    '',
  )
  for (const text of paths) yield { text, permissions: 1 }
}

function* descriptionsFrom(
  parts: readonly Part[],
  depth: number,
  outerText: string,
): Generator<Description> {
  if (depth === LABELS.length) {
    const verbs = parts.flatMap(uncoveredVerbs)
    yield {
      text: `{${outerText}, Verbs:[${verbs.map(goQuote).join(' ')}]}`,
      permissions: verbs.length,
    }
    return
  }
  for (const { value, inner } of partsByValue(parts, depth)) {
    const separator = outerText === '' ? '' : ', '
    const text = value === undefined ? '' : `${separator}${LABELS[depth]}:[${goQuote(value)}]`
    yield* descriptionsFrom(inner, depth + 1, outerText + text)
  }
}

/** The values of one dimension that leave something uncovered, in the order of their quoted texts; no name comes last. */
function partsByValue(
  parts: readonly Part[],
  depth: number,
): { value: string | undefined; inner: Part[] }[] {
  const byValue = new Map<string | undefined, Part[]>()
  for (const { product, outer, times } of parts) {
    for (const [value, element] of product.what[depth] ?? []) {
      const mask = outer & element.mask
      if (product.uncovered(depth + 1, mask) === 0) continue
      const part = { product, outer: mask, times: times * element.times, name: value }
      const known = byValue.get(value)
      if (known) known.push(part)
      else byValue.set(value, [part])
    }
  }
  const keyed = [...byValue].map(([value, inner]) => ({
    value,
    inner,
    key: value === undefined ? NO_NAME : goQuote(value),
  }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

/** Sorts after every quoted text, as `Verbs` follows `ResourceNames`. */
const NO_NAME = '~'

/** As often and in the order in which kube-apiserver writes them out: groups, resources, verbs, names. */
function uncoveredVerbs({ product, outer, times, name }: Part): string[] {
  const named = product.what[2].get(name)?.times ?? 1
  const verbs = product.listed.filter(
    (verb) => (outer & (product.verbs.get(verb)?.mask ?? 0n)) === 0n,
  )
  const once = verbs.flatMap((verb) => Array.from({ length: named }, () => verb))
  return Array.from({ length: times / named }, () => once).flat()
}
