/** What functions that go through their arguments cost: while evaluating, and at most (both as the real server reckons them). */
import { sizeOf, type Value } from '../values/value'
import type { Estimate, EstimateArguments, Range } from './estimate'

/** Of going through a text, per character. */
export const TRAVERSAL = 0.1
/** Of matching, per character of a pattern. */
export const PATTERN = 0.25

export const range = (min: number, max: number): Range => ({ min, max })
export const fixed = (value: number): Range => ({ min: value, max: value })
export const add = (a: Range, b: Range): Range => ({ min: a.min + b.min, max: a.max + b.max })
export const times = (a: Range, b: Range): Range => ({ min: multiplied(a.min, b.min), max: multiplied(a.max, b.max) })
/** Rounded up on both ends. */
export const scaled = (a: Range, factor: number): Range => ({ min: Math.ceil(a.min * factor), max: Math.ceil(a.max * factor) })
export const union = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) })

/** Nothing times without bound is nothing. */
const multiplied = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)

const size = (values: readonly Value[], index: number): number => sizeOf(values[index] as Value)
const estimated = (values: EstimateArguments, index: number): Range => values[index]?.size ?? fixed(1)

/** How a function's cost follows from its arguments: counted, and estimated. */
export interface CostRule {
  cost(values: readonly Value[], result: Value): number
  estimate(values: EstimateArguments): Estimate
}

/** Goes through its first argument. */
export const traversesFirst: CostRule = {
  cost: (values) => Math.ceil(size(values, 0) * TRAVERSAL),
  estimate: (values) => ({ cost: scaled(estimated(values, 0), TRAVERSAL) }),
}

/** Goes through the first argument; what comes out is of its size. */
export const convertsFirst: CostRule = {
  cost: traversesFirst.cost,
  estimate: (values) => ({ cost: scaled(estimated(values, 0), TRAVERSAL), size: estimated(values, 0) }),
}

/** Compares: goes as far as the shorter of two. */
export const comparesTwo: CostRule = {
  cost: (values) => Math.ceil(Math.min(size(values, 0), size(values, 1)) * TRAVERSAL),
  estimate(values) {
    const [left, right] = [estimated(values, 0), estimated(values, 1)]
    // The sizes differ by nothing that is known: at least one of two empty ones is looked at.
    const shorter = range(Math.min(left.min, right.min), Math.min(left.max, right.max))
    return { cost: scaled(shorter, TRAVERSAL) }
  },
}

/** Joins two texts. */
export const joinsTwo: CostRule = {
  cost: (values) => Math.ceil((size(values, 0) + size(values, 1)) * TRAVERSAL),
  estimate(values) {
    const both = add(estimated(values, 0), estimated(values, 1))
    return { cost: scaled(both, TRAVERSAL), size: both }
  },
}

/** Joins two lists. */
export const appends: CostRule = {
  cost: () => 1,
  estimate: (values) => ({ cost: fixed(1), size: add(estimated(values, 0), estimated(values, 1)) }),
}

/** Looks for one text in another. */
export const searches: CostRule = {
  cost: (values) => Math.ceil(size(values, 0) * TRAVERSAL) * Math.ceil(size(values, 1) * TRAVERSAL),
  estimate: (values) => ({ cost: times(scaled(estimated(values, 0), TRAVERSAL), scaled(estimated(values, 1), TRAVERSAL)) }),
}

/** Matches a text with a pattern. */
export const matchesPattern: CostRule = {
  cost: (values) => Math.ceil((1 + size(values, 0)) * TRAVERSAL) * Math.ceil(size(values, 1) * PATTERN),
  estimate: (values) => ({
    cost: times(scaled(add(estimated(values, 0), fixed(1)), TRAVERSAL), scaled(estimated(values, 1), PATTERN)),
  }),
}

/** Looks at every item of a list. */
export const looksThroughSecond: CostRule = {
  cost: (values) => size(values, 1),
  estimate: (values) => ({ cost: estimated(values, 1) }),
}
