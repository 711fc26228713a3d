import type { Estimate, EstimateArguments } from '../cost/estimate-types'
import { add, fixed, scaled, TRAVERSAL, times } from '../cost/factors'
import { duration, int, uint } from '../values/arithmetic'
import { compare, equal, isNumber, NO_SUCH_OVERLOAD } from '../values/equality'
import { Duration, EvaluationError, ListValue, UInt, type Value } from '../values/value'
import type { FunctionDefinition } from './function'
import type { Library } from './library'

/** Includes everything in a list. */
export const searchCost = {
  strictCost: true as const,
  cost: stepsThrough,
  estimate(values: EstimateArguments): Estimate {
    const [searched] = values
    const size = searched?.size ?? fixed(1)
    const item = searched?.item
    if (item === undefined) return { cost: scaled(size, TRAVERSAL) }
    const isText = item.type.kind === 'string' || item.type.kind === 'bytes'
    return { cost: times(size, isText ? add(fixed(1), scaled(item.size, TRAVERSAL)) : fixed(1)) }
  },
}

function stepsThrough(value: Value): number {
  if (typeof value === 'string')
    return Math.floor(new TextEncoder().encode(value).length * TRAVERSAL)
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL)
  if (!(value instanceof ListValue)) return 1
  let steps = 0
  for (const item of value) steps += stepsThrough(item)
  return steps
}

/**
 * Items of two types count as equal (policy-cel-lib).
 * @returns an error if the item's type has no order
 */
function orderOfItems(item: Value, other: Value): number | EvaluationError {
  const order = compare(item, other)
  return order instanceof EvaluationError && !(compare(item, item) instanceof EvaluationError)
    ? 0
    : order
}

function isSorted(list: ListValue): Value {
  for (let index = 1; index < list.size; index++) {
    const order = orderOfItems(list.at(index), list.at(index - 1))
    if (order instanceof EvaluationError) return order
    if (order < 0) return false
  }
  return true
}

/** @param sign -1 for the maximum */
function extreme(name: string, sign: 1 | -1): (list: ListValue) => Value {
  return (list) => {
    if (list.size === 0) return new EvaluationError(`${name} called on empty list`)
    let best = list.at(0)
    for (let index = 1; index < list.size; index++) {
      const item = list.at(index)
      const order = orderOfItems(item, best)
      if (order instanceof EvaluationError) return order
      if (order * sign < 0) best = item
    }
    return best
  }
}

function sum(empty: Value): (list: ListValue) => Value {
  return (list) => {
    let total: Value = list.size === 0 ? empty : list.at(0)
    for (let index = 1; index < list.size; index++) {
      total = plus(total, list.at(index))
      if (total instanceof EvaluationError) return total
    }
    // Starting at zero, a sum is never negative zero.
    if (total === 0) return 0
    return isNumber(total) || total instanceof Duration ? total : NO_SUCH_OVERLOAD
  }
}

function plus(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a + b)
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (a instanceof UInt && b instanceof UInt) return uint(a.value + b.value)
  return a instanceof Duration && b instanceof Duration
    ? duration(a.nanoseconds + b.nanoseconds)
    : NO_SUCH_OVERLOAD
}

function indexOf(list: ListValue, element: Value): Value {
  for (let index = 0; index < list.size; index++)
    if (equal(list.at(index), element)) return BigInt(index)
  return -1n
}

function lastIndexOf(list: ListValue, element: Value): Value {
  for (let index = list.size - 1; index >= 0; index--)
    if (equal(list.at(index), element)) return BigInt(index)
  return -1n
}

const SUMMABLE: readonly [type: string, zero: Value][] = [
  ['int', 0n],
  ['uint', new UInt(0n)],
  ['double', 0],
  ['duration', new Duration(0n)],
]
const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']

const functions = (): FunctionDefinition[] => [
  ...COMPARABLE.flatMap((type) => [
    { signature: `list(${type}).isSorted() -> bool`, call: isSorted, ...searchCost },
    { signature: `list(${type}).min() -> ${type}`, call: extreme('min', 1), ...searchCost },
    { signature: `list(${type}).max() -> ${type}`, call: extreme('max', -1), ...searchCost },
  ]),
  ...SUMMABLE.map(([type, zero]) => ({
    signature: `list(${type}).sum() -> ${type}`,
    call: sum(zero),
    ...searchCost,
  })),
  { signature: 'list(A).indexOf(A) -> int', call: indexOf, ...searchCost },
  { signature: 'list(A).lastIndexOf(A) -> int', call: lastIndexOf, ...searchCost },
]

export const LISTS: Library = {
  get functions() {
    return functions()
  },
}
