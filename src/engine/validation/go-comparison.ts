/** Compares values as github.com/google/go-cmp does. */

import { append, largest } from '../core/lists'
import { goQuote } from '../schema/go-text'
import { compareQuantities, parseQuantity } from '../schema/quantity'
import type { GoValue } from './go-value'

/** One side may be absent. */
export interface Node {
  x: GoValue | undefined
  y: GoValue | undefined
  parts: { key: string; node: Node }[]
  equal: boolean
  /** Of the nodes below. Equal numbers mean a chain. */
  count: number
  depth: number
  same: number
  different: number
}

/** A metav1.Time wraps a time. */
export function opened(value: GoValue): GoValue {
  switch (value.kind) {
    case 'struct':
      return {
        ...value,
        members: value.members.map(({ name, value: member }) => ({ name, value: opened(member) })),
      }
    case 'list':
      return value.items === undefined ? value : { ...value, items: value.items.map(opened) }
    case 'map':
      return value.entries === undefined
        ? value
        : { ...value, entries: value.entries.map(([key, item]) => [key, opened(item)]) }
    case 'pointer':
      return value.target === undefined ? value : { ...value, target: opened(value.target) }
    case 'time':
      return { kind: 'struct', type: value.type, members: [{ name: 'Time', value }] }
    default:
      return value
  }
}

function leaf(x: GoValue | undefined, y: GoValue | undefined, equal: boolean): Node {
  return {
    x,
    y,
    parts: [],
    equal,
    count: 0,
    depth: 0,
    same: equal ? 1 : 0,
    different: equal ? 0 : 1,
  }
}

function inner(x: GoValue, y: GoValue, parts: Node['parts']): Node {
  const sum = (of: (node: Node) => number) => parts.reduce((total, { node }) => total + of(node), 0)
  const depth = largest(
    parts.map(({ node }) => node.depth + 1),
    0,
  )
  const different = sum((node) => node.different)
  return {
    x,
    y,
    parts,
    equal: different === 0,
    count: sum((node) => node.count + 1),
    depth,
    same: sum((node) => node.same),
    different,
  }
}

export function compare(x: GoValue, y: GoValue): Node {
  switch (x.kind) {
    case 'struct': {
      const others = y.kind === 'struct' ? y.members : []
      return inner(
        x,
        y,
        x.members.map(({ name, value }, i) => ({
          key: name,
          node: compare(value, others[i]?.value ?? value),
        })),
      )
    }
    case 'list':
      if (y.kind !== 'list' || x.items === undefined || y.items === undefined)
        return leaf(x, y, y.kind === 'list' && x.items === y.items)
      return inner(
        x,
        y,
        editsOf(x.items, y.items).map((node) => ({ key: '', node })),
      )
    case 'map':
      if (y.kind !== 'map' || x.entries === undefined || y.entries === undefined)
        return leaf(x, y, y.kind === 'map' && x.entries === y.entries)
      return inner(x, y, entriesOf(x.entries, y.entries, keyPrefix(x.type)))
    case 'pointer':
      if (y.kind !== 'pointer' || x.target === undefined || y.target === undefined)
        return leaf(x, y, y.kind === 'pointer' && x.target === y.target)
      return inner(x, y, [{ key: '', node: compare(x.target, y.target) }])
    case 'quantity': {
      const other = y.kind === 'quantity' ? y.text : undefined
      return leaf(
        x,
        y,
        compareQuantities(parseQuantity(x.text ?? '0'), parseQuantity(other ?? '0')) === 0,
      )
    }
    case 'time':
      return leaf(x, y, y.kind === 'time' && x.text === y.text)
    default:
      return leaf(x, y, y.kind === x.kind && x.value === y.value)
  }
}

function entriesOf(x: [string, GoValue][], y: [string, GoValue][], prefix: string): Node['parts'] {
  const [left, right] = [new Map(x), new Map(y)]
  return [...new Set([...left.keys(), ...right.keys()])].sort().map((key) => {
    const [before, after] = [left.get(key), right.get(key)]
    return {
      key: prefix + goQuote(key),
      node: before && after ? compare(before, after) : leaf(before, after, false),
    }
  })
}

/** go-cmp marks keys whose type has a String method. */
export const keyPrefix = (mapType: string): string => (mapType.endsWith('.ResourceList') ? 's' : '')

/** Equal prefixes and suffixes first; then as many changed pairs as possible. */
function editsOf(x: GoValue[], y: GoValue[]): Node[] {
  const at = (i: number, j: number) => compare(x[i] as GoValue, y[j] as GoValue)
  let head = 0
  while (head < x.length && head < y.length && at(head, head).equal) head++
  let tail = 0
  while (
    tail < x.length - head &&
    tail < y.length - head &&
    at(x.length - 1 - tail, y.length - 1 - tail).equal
  )
    tail++
  const nodes: Node[] = []
  for (let i = 0; i < head; i++) nodes.push(at(i, i))
  append(nodes, matched(x.slice(head, x.length - tail), y.slice(head, y.length - tail)))
  for (let i = tail; i > 0; i--) nodes.push(at(x.length - i, y.length - i))
  return nodes
}

const isAlike = (node: Node): boolean => node.same + 1 >= node.different

/** Comparing all pairs is quadratic. */
const MAX_PAIRS = 40_000

/** The longest sequence of similar pairs, with the unmatched elements. */
function matched(gone: GoValue[], come: GoValue[]): Node[] {
  if (gone.length * come.length > MAX_PAIRS) {
    return [
      ...gone.map((value) => leaf(value, undefined, false)),
      ...come.map((value) => leaf(undefined, value, false)),
    ]
  }
  const pairs = gone.map((before) => come.map((after) => compare(before, after)))
  // most[i][j]: the best score of the rest; equal pairs count twice.
  const most = Array.from({ length: gone.length + 1 }, () =>
    new Array<number>(come.length + 1).fill(0),
  )
  const worth = (i: number, j: number): number => most[i]?.[j] ?? 0
  const paired = (i: number, j: number): number => {
    const node = pairs[i]?.[j]
    return node && isAlike(node) ? worth(i + 1, j + 1) + (node.equal ? 2 : 1) : -1
  }
  for (let i = gone.length - 1; i >= 0; i--)
    for (let j = come.length - 1; j >= 0; j--)
      (most[i] as number[])[j] = Math.max(paired(i, j), worth(i + 1, j), worth(i, j + 1))
  const nodes: Node[] = []
  let [i, j] = [0, 0]
  while (i < gone.length || j < come.length) {
    if (i < gone.length && j < come.length && paired(i, j) === worth(i, j))
      nodes.push(pairs[i++]?.[j++] as Node)
    else if (i < gone.length && (j === come.length || worth(i + 1, j) === worth(i, j)))
      nodes.push(leaf(gone[i++], undefined, false))
    else nodes.push(leaf(undefined, come[j++], false))
  }
  return nodes
}
