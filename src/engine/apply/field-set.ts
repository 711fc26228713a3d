/**
 * Sets of field paths as tries. A path element is written as in FieldsV1: `f:name` (member), `k:{"name":"x"}` (list item by
 * key), `v:"x"` (set item), `i:0` (index).
 *
 * Example: {.spec.replicas, .metadata.labels, .metadata.labels.app} is
 *   { f:spec: { f:replicas: member }, f:metadata: { f:labels: member { f:app: member } } }
 *
 * Sets are immutable: operations share what they do not change.
 */
export interface FieldSet {
  /** The path that leads here is in the set. */
  readonly member: boolean
  readonly children: ReadonlyMap<string, FieldSet>
}

const NONE: ReadonlyMap<string, FieldSet> = new Map()
export const EMPTY: FieldSet = { member: false, children: NONE }
const LEAF: FieldSet = { member: true, children: NONE }

export type Path = readonly string[]

export function isEmpty(set: FieldSet): boolean {
  return !set.member && set.children.size === 0
}

function node(member: boolean, children: ReadonlyMap<string, FieldSet>): FieldSet {
  if (children.size === 0) return member ? LEAF : EMPTY
  return { member, children }
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a
  if (isEmpty(a)) return b
  const children = new Map(a.children)
  for (const [key, child] of b.children) {
    const mine = children.get(key)
    children.set(key, mine === undefined ? child : union(mine, child))
  }
  return node(a.member || b.member, children)
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  const children = new Map<string, FieldSet>()
  const [small, large] = a.children.size <= b.children.size ? [a, b] : [b, a]
  for (const [key, child] of small.children) {
    const other = large.children.get(key)
    if (other === undefined) continue
    const both = intersection(child, other)
    if (!isEmpty(both)) children.set(key, both)
  }
  return node(a.member && b.member, children)
}

/** Paths of `a` that are not in `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b) || isEmpty(a)) return a
  if (a === b) return EMPTY
  const children = new Map<string, FieldSet>()
  for (const [key, child] of a.children) {
    const other = b.children.get(key)
    const rest = other === undefined ? child : difference(child, other)
    if (!isEmpty(rest)) children.set(key, rest)
  }
  return node(a.member && !b.member, children)
}

/** Paths of `a` that are not in `b` and not below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b)) return a
  const children = new Map<string, FieldSet>()
  for (const [key, child] of a.children) {
    const other = b.children.get(key)
    if (other?.member) continue
    const rest = other === undefined ? child : recursiveDifference(child, other)
    if (!isEmpty(rest)) children.set(key, rest)
  }
  return node(a.member && !b.member, children)
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  if (a.member !== b.member || a.children.size !== b.children.size) return false
  for (const [key, child] of a.children) {
    const other = b.children.get(key)
    if (other === undefined || !equalSets(child, other)) return false
  }
  return true
}

export function hasPath(set: FieldSet, path: Path): boolean {
  let at: FieldSet | undefined = set
  for (const element of path) at = at?.children.get(element)
  return at?.member ?? false
}

/** All paths, parents before children, in the order of the elements. */
export function pathsOf(set: FieldSet, prefix: Path = []): Path[] {
  const paths: Path[] = set.member ? [prefix] : []
  for (const [key, child] of sortedChildren(set)) paths.push(...pathsOf(child, [...prefix, key]))
  return paths
}

/** Members by name first, then keys, values and indices. */
const KIND_ORDER: Record<string, number> = { f: 0, k: 1, v: 2, i: 3 }

function compareElements(a: string, b: string): number {
  const kind = (KIND_ORDER[a[0] ?? ''] ?? 9) - (KIND_ORDER[b[0] ?? ''] ?? 9)
  if (kind !== 0) return kind
  if (a[0] === 'i') return Number(a.slice(2)) - Number(b.slice(2))
  return a < b ? -1 : a > b ? 1 : 0
}

export function sortedChildren(set: FieldSet): [string, FieldSet][] {
  return [...set.children].sort(([a], [b]) => compareElements(a, b))
}

/** Collects paths while a value is walked; cheaper than a union per path. */
export class FieldSetBuilder {
  member = false
  private readonly children = new Map<string, FieldSetBuilder>()

  child(element: string): FieldSetBuilder {
    const known = this.children.get(element)
    if (known) return known
    const made = new FieldSetBuilder()
    this.children.set(element, made)
    return made
  }

  build(): FieldSet {
    if (this.children.size === 0) return this.member ? LEAF : EMPTY
    const children = new Map<string, FieldSet>()
    for (const [key, child] of this.children) {
      const set = child.build()
      if (!isEmpty(set)) children.set(key, set)
    }
    return node(this.member, children)
  }
}

/** `setOf(['f:status'], ['f:metadata', 'f:labels'])` */
export function setOf(...paths: Path[]): FieldSet {
  const builder = new FieldSetBuilder()
  for (const path of paths) {
    let at = builder
    for (const element of path) at = at.child(element)
    at.member = true
  }
  return builder.build()
}
