/**
 * Immutable sets of field paths as tries. {.spec.replicas, .metadata.labels, .metadata.labels.app}
 * is
 *
 *     { f:spec: { f:replicas: member }, f:metadata: { f:labels: member { f:app: member } } }
 *
 * An operation without effect returns its argument, so `===` detects it.
 */
import { append } from '../core/lists'
import type { JsonObject } from '../core/object'
import { type Path, sortByElement } from './path-elements'

export interface FieldSet {
  /** The path that ends here is in the set. */
  readonly member: boolean
  readonly children: ReadonlyMap<string, FieldSet>
  /** The cached encoding of the set. */
  written: JsonObject | undefined
}

const NONE: ReadonlyMap<string, FieldSet> = new Map()
export const EMPTY: FieldSet = { member: false, children: NONE, written: undefined }
export const LEAF: FieldSet = { member: true, children: NONE, written: undefined }

/** @param children not empty */
export function fieldSet(
  member: boolean,
  children: ReadonlyMap<string, FieldSet> | undefined,
): FieldSet {
  if (children === undefined || children.size === 0) return member ? LEAF : EMPTY
  return { member, children, written: undefined }
}

export function isEmpty(set: FieldSet): boolean {
  return !set.member && set.children.size === 0
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a
  if (isEmpty(a)) return b
  let children: Map<string, FieldSet> | undefined
  for (const [element, child] of b.children) {
    const mine = a.children.get(element)
    const both = mine === undefined ? child : union(mine, child)
    if (both === mine) continue
    children ??= new Map(a.children)
    children.set(element, both)
  }
  if (children === undefined && (a.member || !b.member)) return a
  return fieldSet(a.member || b.member, children ?? a.children)
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  const children = new Map<string, FieldSet>()
  const [small, large] = a.children.size <= b.children.size ? [a, b] : [b, a]
  for (const [element, child] of small.children) {
    const other = large.children.get(element)
    if (other === undefined) continue
    const both = intersection(child, other)
    if (!isEmpty(both)) children.set(element, both)
  }
  return fieldSet(a.member && b.member, children)
}

export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false)
}

/** Like `difference`, but also removes paths below each path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true)
}

function subtract(a: FieldSet, b: FieldSet, below: boolean): FieldSet {
  if (isEmpty(a) || isEmpty(b)) return a
  if (a === b) return EMPTY
  let children: Map<string, FieldSet> | undefined
  const [small, large] = a.children.size <= b.children.size ? [a, b] : [b, a]
  for (const element of small.children.keys()) {
    if (!large.children.has(element)) continue
    const mine = a.children.get(element) as FieldSet
    const other = b.children.get(element) as FieldSet
    const rest = below && other.member ? EMPTY : subtract(mine, other, below)
    if (rest === mine) continue
    children ??= new Map(a.children)
    if (isEmpty(rest)) children.delete(element)
    else children.set(element, rest)
  }
  const member = a.member && !b.member
  if (children === undefined && member === a.member) return a
  return fieldSet(member, children ?? a.children)
}

export function isSubset(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  if ((a.member && !b.member) || a.children.size > b.children.size) return false
  for (const [element, child] of a.children) {
    const other = b.children.get(element)
    if (other === undefined || !isSubset(child, other)) return false
  }
  return true
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  if (a.member !== b.member || a.children.size !== b.children.size) return false
  for (const [element, child] of a.children) {
    const other = b.children.get(element)
    if (other === undefined || !equalSets(child, other)) return false
  }
  return true
}

export function hasPath(set: FieldSet, path: Path): boolean {
  let at: FieldSet | undefined = set
  for (const element of path) at = at?.children.get(element)
  return at?.member ?? false
}

export function sortedChildren(set: FieldSet): [string, FieldSet][] {
  return sortByElement([...set.children])
}

/** At each level, paths that end there come first, as in conflicts. */
export function pathsOf(set: FieldSet, prefix: Path = []): Path[] {
  const children = sortedChildren(set)
  const paths: Path[] = []
  for (const [element, child] of children) if (child.member) paths.push([...prefix, element])
  for (const [element, child] of children)
    if (child.children.size > 0) append(paths, pathsOf(child, [...prefix, element]))
  return paths
}

/** `setOf(['f:status'], ['f:metadata', 'f:labels'])` */
export function setOf(...paths: Path[]): FieldSet {
  return paths.reduce((set, path) => union(set, setOfPath(path)), EMPTY)
}

function setOfPath(path: Path): FieldSet {
  return path.reduceRight((below, element) => fieldSet(false, new Map([[element, below]])), LEAF)
}
