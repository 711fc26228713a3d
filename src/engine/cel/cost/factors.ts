import { sizeOf, type Value } from '../values/value'
import type { Estimate, EstimateArguments, Range } from './estimate-types'

/** Per visited character. */
export const TRAVERSAL = 0.1
/** Per character of a pattern. */
export const PATTERN = 0.25

/** cel-go's maximum. */
export const UNBOUNDED = 2 ** 64
const bounded = (value: number): number => Math.min(value, UNBOUNDED)

export const range = (min: number, max: number): Range => ({ min, max })
export const fixed = (value: number): Range => ({ min: value, max: value })
export const add = (a: Range, b: Range): Range => ({
  min: bounded(a.min + b.min),
  max: bounded(a.max + b.max),
})
export const times = (a: Range, b: Range): Range => ({
  min: bounded(a.min * b.min),
  max: bounded(a.max * b.max),
})
export const scaled = (a: Range, factor: number): Range => ({
  min: bounded(Math.ceil(a.min * factor)),
  max: bounded(Math.ceil(a.max * factor)),
})
export const union = (a: Range, b: Range): Range => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
})

export function traversal(value: Value, factor = TRAVERSAL): number {
  if (typeof value === 'string' && factor === TRAVERSAL && value.length <= 10)
    return value === '' ? 0 : 1
  return Math.ceil(sizeOf(value) * factor)
}

const estimated = (values: EstimateArguments, index: number): Range =>
  values[index]?.size ?? fixed(1)

export type RunCost = (first: Value, second: Value, third: Value) => number

export interface CostRule {
  cost: RunCost
  estimate(values: EstimateArguments): Estimate
}

export const traversesFirst: CostRule = {
  cost: (first) => traversal(first),
  estimate: (values) => ({ cost: scaled(estimated(values, 0), TRAVERSAL) }),
}

/** The result's size is a multiple of the argument's. */
const converts = (least: number, most: number, more = 0): CostRule => ({
  cost: traversesFirst.cost,
  estimate(values) {
    const { min, max } = estimated(values, 0)
    return {
      cost: scaled({ min, max }, TRAVERSAL),
      size: range(Math.floor(min * least) + more, bounded(max * most + more)),
    }
  },
})

/** A character has at most four bytes. */
export const encodesFirst = converts(1, 4)
export const decodesFirst = converts(0.25, 1)
/** Each character may be escaped; two quotes are added. */
export const quotesFirst = converts(1, 2, 2)

export const traversesSecond: CostRule = {
  cost: traversesFirst.cost,
  estimate: (values) => ({ cost: scaled(estimated(values, 1), TRAVERSAL) }),
}

export const comparesTwo: CostRule = {
  cost: (first, second) => Math.min(traversal(first), traversal(second)),
  estimate(values) {
    const [left, right] = [estimated(values, 0), estimated(values, 1)]
    const most = Math.min(left.max, right.max)
    const shorter = range(most > 0 ? 1 : 0, most)
    return { cost: scaled(shorter, TRAVERSAL) }
  },
}

export const joinsTwo: CostRule = {
  cost: (first, second) => Math.ceil((sizeOf(first) + sizeOf(second)) * TRAVERSAL),
  estimate(values) {
    const both = add(estimated(values, 0), estimated(values, 1))
    return { cost: scaled(both, TRAVERSAL), size: both }
  },
}

export const appends: CostRule = {
  cost: () => 1,
  estimate: (values) => ({ cost: fixed(1), size: add(estimated(values, 0), estimated(values, 1)) }),
}

export const searches: CostRule = {
  cost: (first, second) => traversal(first) * traversal(second),
  estimate: (values) => ({
    cost: times(scaled(estimated(values, 0), TRAVERSAL), scaled(estimated(values, 1), TRAVERSAL)),
  }),
}

export const matchesPattern: CostRule = {
  cost: (text, pattern) => Math.ceil((1 + sizeOf(text)) * TRAVERSAL) * traversal(pattern, PATTERN),
  estimate: (values) => ({
    cost: times(
      scaled(add(estimated(values, 0), fixed(1)), TRAVERSAL),
      scaled(estimated(values, 1), PATTERN),
    ),
  }),
}

export const looksThroughSecond: CostRule = {
  cost: (_element, list) => sizeOf(list),
  estimate: (values) => ({ cost: estimated(values, 1) }),
}
