/**
 * The permissions that a grantor lacks: kubernetes.io, "Privilege escalation prevention and
 * bootstrapping". Masks (`cover.ts`) count them; only those that fit into a response are listed.
 */
import { goQuote } from '../../schema/go-text'
import { Budget, Cover, EVERY_RULE, type Mask, type Product } from './cover'
import type { PolicyRule } from './rules'

/** Characters of the descriptions in a response. */
const MAX_CHARACTERS = 2 ** 20

/** Combinations of masks, which a few kilobytes can multiply. */
const MAX_STEPS = 2 ** 20

interface Missing {
  /** By resource and name, or path; sorted. */
  descriptions: string[]
  omitted: number
}

/** @throws TooManyCombinations */
export function missingPermissions(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): Missing {
  const cover = new Cover(held, new Budget(MAX_STEPS))
  const products = wanted.map((rule) => cover.product(rule))
  const paths = missingPaths(cover, wanted)
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

function missingPaths(cover: Cover, wanted: readonly PolicyRule[]): string[] {
  const missing = new Set<string>()
  for (const { nonResourceURLs, verbs } of wanted) {
    for (const path of nonResourceURLs ?? []) {
      for (const verb of verbs ?? []) {
        if (missing.size * path.length > MAX_CHARACTERS) break
        if (!cover.coversPath(path, verb))
          missing.add(`{NonResourceURLs:[${goQuote(path)}], Verbs:[${goQuote(verb)}]}`)
      }
    }
  }
  return [...missing].sort()
}

/** A product with chosen outer elements. */
interface Part {
  product: Product
  outer: Mask
  /** How often the rule repeats the chosen elements. */
  times: number
  name?: string | undefined
}

interface Description {
  text: string
  permissions: number
}

const LABELS = ['APIGroups', 'Resources', 'ResourceNames']

/** In lexical order, generated lazily. */
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

/** In order of quoted texts; no name comes last. */
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

/** As in kube-apiserver, with repeats. */
function uncoveredVerbs({ product, outer, times, name }: Part): string[] {
  const named = product.what[2].get(name)?.times ?? 1
  const verbs = product.listed.filter(
    (verb) => (outer & (product.verbs.get(verb)?.mask ?? 0n)) === 0n,
  )
  const once = verbs.flatMap((verb) => Array.from({ length: named }, () => verb))
  return Array.from({ length: times / named }, () => once).flat()
}
