import type { EstimateArguments } from '../cost/estimate-types'
import { add, fixed, scaled, times } from '../cost/factors'
import { equal, valueEquality } from '../values/equality'
import { Groups, textOf } from '../values/groups'
import { EvaluationError, type ListValue, sizeOf, type Value } from '../values/value'
import type { Library } from './library'

const holdsAny = (list: ListValue): ((element: Value) => boolean) => {
  const groups = new Groups(list, textOf)
  return (element) => groups.find(element, (item) => equal(item, element)) !== undefined
}

function contains(list: ListValue, part: ListValue): boolean | EvaluationError {
  const has = holdsAny(list)
  for (const item of part) {
    if (has(item)) continue
    // Lists with a schema report items that cannot be compared.
    const held = list.holds?.(item, valueEquality)
    return held instanceof EvaluationError ? held : false
  }
  return true
}

function equivalent(a: ListValue, b: ListValue): boolean | EvaluationError {
  const held = contains(a, b)
  return held === true ? contains(b, a) : held
}

function intersects(a: ListValue, b: ListValue): boolean {
  const has = holdsAny(a)
  for (const item of b) if (has(item)) return true
  return false
}

const comparesAll = (rounds: number) => ({
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
        call: equivalent,
        ...comparesAll(2),
      },
      {
        signature: 'sets.intersects(list(T), list(T)) -> bool',
        call: intersects,
        ...comparesAll(1),
      },
    ]
  },
}
