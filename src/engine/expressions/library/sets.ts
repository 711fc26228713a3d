/** Lists taken for sets. */
import type { EstimateArguments } from '../cost/estimate'
import { add, fixed, scaled, times } from '../cost/factors'
import type { Library } from '../environment'
import { equal } from '../values/equality'
import { type ListValue, sizeOf, type Value } from '../values/value'

function has(list: ListValue, element: Value): boolean {
  for (const item of list) if (equal(item, element)) return true
  return false
}

function contains(list: ListValue, part: ListValue): boolean {
  for (const item of part) if (!has(list, item)) return false
  return true
}

function intersects(a: ListValue, b: ListValue): boolean {
  for (const item of b) if (has(a, item)) return true
  return false
}

/** Compares each with each, so many times over. */
const comparesAll = (rounds: number) => ({
  strictCost: true as const,
  cost: (a: Value, b: Value): number => 1 + rounds * sizeOf(a) * sizeOf(b),
  estimate: ([a, b]: EstimateArguments) => ({
    cost: add(fixed(1), scaled(times(a?.size ?? fixed(1), b?.size ?? fixed(1)), rounds)),
  }),
})

export const SETS: Library = {
  get functions() {
    return [
      { signature: 'sets.contains(list(T), list(T)) -> bool', call: contains, ...comparesAll(1) },
      {
        signature: 'sets.equivalent(list(T), list(T)) -> bool',
        call: (a: ListValue, b: ListValue) => contains(a, b) && contains(b, a),
        ...comparesAll(2),
      },
      { signature: 'sets.intersects(list(T), list(T)) -> bool', call: intersects, ...comparesAll(1) },
    ]
  },
}
