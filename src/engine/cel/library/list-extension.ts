/** cel-go, ext, "Lists". */
import type { Estimate, EstimatedValue, Range } from '../cost/estimate-types'
import { add, fixed, scaled, TRAVERSAL, times, UNBOUNDED } from '../cost/factors'
import type { Call, Expression } from '../syntax/ast'
import { bound, type Macro, map } from '../syntax/macros'
import { compare, equal } from '../values/equality'
import { Groups, textOf } from '../values/groups'
import {
  ArrayList,
  Duration,
  EMPTY_LIST,
  EvaluationError,
  ListValue,
  sizeOf,
  Timestamp,
  typeNameOf,
  UInt,
  type Value,
} from '../values/value'
import type { FunctionDefinition } from './function'
import type { Library } from './library'

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']
const MOST_IN_RANGE = 10_000_000n

/** The costs of a call and of a list. */
const MAKING = 11
/** A failed call: its result counts as one item. */
const FAILED = 12

/** Per pair, plus reading both texts. */
const COMPARING = 2
const comparing = (type: string): number =>
  type === 'string' || type === 'bytes' ? COMPARING + TRAVERSAL : COMPARING

const isText = (value: Value | undefined): boolean =>
  typeof value === 'string' || value instanceof Uint8Array

function selfCompareCost(list: Value): number {
  const size = sizeOf(list)
  const first = list instanceof ListValue && size > 0 ? list.at(0) : undefined
  return Math.floor(size * size * (isText(first) ? COMPARING + TRAVERSAL : COMPARING)) + MAKING
}

const making = (size: Range, factor = 1): Estimate => ({
  cost: add(scaled(size, factor), fixed(MAKING)),
  size,
})
const sizeIn = (value: EstimatedValue | undefined): Range => value?.size ?? fixed(1)
const squared = (value: EstimatedValue | undefined): Range => times(sizeIn(value), sizeIn(value))

function constantOr(value: EstimatedValue | undefined, otherwise: number): number {
  const constant = value?.constant
  return typeof constant === 'bigint' ? Math.max(0, Number(constant)) : otherwise
}

/** Integers from 0, without storage. */
class RangeList extends ListValue {
  constructor(readonly size: number) {
    super()
  }

  at(index: number): Value {
    return BigInt(index)
  }
}

function rangeOf(count: bigint): Value {
  if (count < 0n) return new EvaluationError(`lists.range: size must be non-negative, got ${count}`)
  if (count > MOST_IN_RANGE)
    return new EvaluationError(
      `lists.range: size ${count} exceeds maximum allowed (${MOST_IN_RANGE})`,
    )
  return new RangeList(Number(count))
}

function sliceProblem(list: ListValue, start: bigint, end: bigint): string | undefined {
  const failed = `cannot slice(${start}, ${end}),`
  if (start < 0n || end < 0n) return `${failed} negative indexes not supported`
  if (start > end) return `${failed} start index must be less than or equal to end index`
  return BigInt(list.size) < end ? `${failed} list is length ${list.size}` : undefined
}

function slice(list: ListValue, start: bigint, end: bigint): Value {
  const problem = sliceProblem(list, start, end)
  if (problem !== undefined) return new EvaluationError(problem)
  const items: Value[] = []
  for (let index = Number(start); index < Number(end); index++) items.push(list.at(index))
  return new ArrayList(items)
}

function sliceCost(list: Value, start: Value, end: Value): number {
  if (!(list instanceof ListValue) || typeof start !== 'bigint' || typeof end !== 'bigint')
    return FAILED
  return sliceProblem(list, start, end) === undefined ? Number(end - start) + MAKING : FAILED
}

function flattened(list: ListValue, depth: bigint): ListValue | EvaluationError {
  if (depth < 0n) return new EvaluationError('level must be non-negative')
  const items: Value[] = []
  const collect = (from: ListValue, left: bigint): void => {
    for (const item of from) {
      if (item instanceof ListValue && left > 0n) collect(item, left - 1n)
      else items.push(item)
    }
  }
  collect(list, depth)
  return new ArrayList(items)
}

/** A negative depth exceeds every limit. */
function flattenCost(list: Value, depth: Value): number {
  const levels = typeof depth === 'bigint' ? Number(depth) : 1
  const size = sizeOf(list)
  return levels < 0 && size > 0 ? UNBOUNDED : levels * size + MAKING
}

const reversed = (list: ListValue): Value => new ArrayList([...list].reverse())

function distinct(list: ListValue): Value {
  const seen = new Groups([], textOf)
  const items: Value[] = []
  for (const item of list) {
    if (seen.find(item, (other) => equal(item, other)) !== undefined) continue
    seen.add(item)
    items.push(item)
  }
  return new ArrayList(items)
}

const isComparable = (value: Value): boolean =>
  (typeof value !== 'object' && value !== null) ||
  value instanceof UInt ||
  value instanceof Uint8Array ||
  value instanceof Duration ||
  value instanceof Timestamp

function sortedBy(list: ListValue, keys: ListValue): Value {
  if (list.size !== keys.size)
    return new EvaluationError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    )
  if (list.size === 0) return EMPTY_LIST
  const all = [...keys]
  const [first] = all as [Value]
  if (!isComparable(first)) return new EvaluationError('list elements must be comparable')
  const type = typeNameOf(first)
  if (all.some((key) => typeNameOf(key) !== type))
    return new EvaluationError('list elements must have the same type')
  const order = all.map((_, index) => index)
  order.sort((a, b) => orderOf(all[a] as Value, all[b] as Value))
  return new ArrayList(order.map((index) => list.at(index)))
}

function orderOf(a: Value, b: Value): number {
  const order = compare(a, b)
  return order instanceof EvaluationError || Number.isNaN(order) ? 0 : order
}

const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')

const ofLists =
  (run: (list: ListValue, keys: ListValue) => Value) =>
  (list: Value, keys: Value = list): Value =>
    list instanceof ListValue && keys instanceof ListValue ? run(list, keys) : NO_SUCH_OVERLOAD

const INPUT = '@__sortBy_input__'
const NO_LITERALS: ReadonlySet<Expression['kind']> = new Set(['constant', 'map', 'struct'])

const sortBy: Macro = (call, at) => {
  const { target } = call
  if (NO_LITERALS.has(target.kind))
    return {
      position: target.position,
      message:
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    }
  const input: Expression = { kind: 'identifier', name: INPUT, position: at }
  const keys = map({ ...call, target: input }, at)
  if ('message' in keys) return keys
  const sorted: Call = {
    kind: 'call',
    function: '@sortByAssociatedKeys',
    target: { ...input },
    arguments: [keys],
    position: at,
  }
  return bound(INPUT, target, sorted, at)
}

const functions = (): FunctionDefinition[] => [
  {
    signature: 'list(T).slice(int, int) -> list(T)',
    call: slice,
    cost: sliceCost,
    estimate: ([list, start, end]) =>
      making(fixed(constantOr(end, sizeIn(list).max) - constantOr(start, 0))),
  },
  {
    signature: 'list(list(T)).flatten() -> list(T)',
    call: (list: Value) => (list instanceof ListValue ? flattened(list, 1n) : NO_SUCH_OVERLOAD),
    takesAll: true,
    cost: flattenCost,
    estimate: ([list]) => making(sizeIn(list)),
  },
  {
    signature: 'list(dyn).flatten(int) -> list(dyn)',
    call: flattened,
    cost: flattenCost,
    estimate: ([list, depth]) => making(sizeIn(list), constantOr(depth, UNBOUNDED)),
  },
  {
    signature: 'lists.range(int) -> list(int)',
    call: rangeOf,
    cost: (count) =>
      typeof count === 'bigint' && count >= 0n && count <= MOST_IN_RANGE
        ? Number(count) + MAKING
        : FAILED,
    estimate: ([count]) => making(fixed(constantOr(count, UNBOUNDED))),
  },
  {
    signature: 'list(T).reverse() -> list(T)',
    call: reversed,
    cost: (list) => sizeOf(list) + MAKING,
    estimate: ([list]) => making(sizeIn(list)),
  },
  {
    signature: 'list(T).distinct() -> list(T)',
    call: distinct,
    cost: selfCompareCost,
    estimate: ([list]) => making(squared(list), COMPARING),
  },
  ...COMPARABLE.flatMap((type): FunctionDefinition[] => [
    {
      signature: `list(${type}).sort() -> list(${type})`,
      call: ofLists(sortedBy),
      takesAll: true,
      cost: selfCompareCost,
      estimate: ([list]) => making(squared(list), comparing(type)),
    },
    {
      signature: `list(T).@sortByAssociatedKeys(list(${type})) -> list(T)`,
      call: ofLists(sortedBy),
      takesAll: true,
      cost: (_list, keys) => selfCompareCost(keys),
      estimate: ([, keys]) => making(squared(keys), comparing(type)),
    },
  ]),
]

export const LIST_EXTENSION: Library = {
  get functions() {
    return functions()
  },
  macros: { 'sortBy/2': sortBy },
}
