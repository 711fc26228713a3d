/** CEL functions that newer cel-go versions changed for all environment versions. */
import type { EstimateArguments } from '../cost/estimate-types'
import { comparesTwo, fixed, range, scaled, TRAVERSAL } from '../cost/factors'
import { equality } from '../values/equality'
import { timePart } from '../values/time'
import { lengthOf, type Timestamp, type Value } from '../values/value'
import type { Library } from './library'
import { searchCost } from './lists'
import { TIME_PARTS } from './standard'
import { indexOf, lastIndexOf } from './strings'

/** Compared at constant cost. */
const COMPARED_AT_ONCE: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(
    (name) => `kubernetes.authorization.${name}`,
  ),
])

const FORMAT = 'kubernetes.NamedFormat'
const LONGEST_FORMAT_NAME = 64

function estimateEquality(values: EstimateArguments) {
  const [left, right] = values.map(({ type }) => type.name)
  if (left === right && left !== undefined) {
    if (COMPARED_AT_ONCE.has(left)) return { cost: fixed(1) }
    if (left === FORMAT) return { cost: scaled(range(1, LONGEST_FORMAT_NAME), TRAVERSAL) }
  }
  return comparesTwo.estimate(values)
}

/** Earlier servers report an error past the end. */
const within =
  (search: (text: string, part: string, from: bigint) => Value) =>
  (text: string, part: string, from = 0n): Value => {
    const isPastEnd = part !== '' && from >= 0n && from >= lengthOf(text)
    return isPastEnd ? -1n : search(text, part, from)
  }

/** Since 1.33. */
export const CHANGED_FUNCTIONS: Library = {
  get functions() {
    return [
      {
        signature: '_==_(A, A) -> bool',
        takesAll: true as const,
        call: equality,
        ...comparesTwo,
        estimate: estimateEquality,
      },
      { signature: 'string.indexOf(string) -> int', call: within(indexOf), ...searchCost },
      {
        signature: 'string.indexOf(string, int) -> int',
        call: within(indexOf),
        ...searchCost,
      },
      {
        signature: 'string.lastIndexOf(string, int) -> int',
        call: within(lastIndexOf),
        ...searchCost,
      },
      ...TIME_PARTS.map((part) => ({
        signature: `timestamp.${part}(string) -> int`,
        call: (time: Timestamp, zone: string): Value => timePart(time, part, zone),
      })),
    ]
  },
}

/** Since 1.37 numbers do not convert to durations. */
export const STRICT_DURATIONS: Library = { functions: [], without: ['duration(int) -> duration'] }
