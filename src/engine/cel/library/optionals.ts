import {
  Duration,
  EvaluationError,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  UInt,
  type Value,
} from '../values/value'
import type { Library } from './library'

/** Go's zero time. */
const YEAR_ONE = -62_135_596_800_000_000_000n

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0
  if (value instanceof Uint8Array) return value.length === 0
  if (value instanceof UInt) return value.value === 0n
  if (value instanceof Timestamp) return value.nanoseconds === YEAR_ONE
  return value instanceof Duration && value.nanoseconds === 0n
}

const NOTHING_THERE = new EvaluationError('optional.none() dereference')

export const OPTIONALS: Library = {
  get functions() {
    return [
      {
        signature: 'optional.of(V) -> optional_type(V)',
        call: (value: Value) => new OptionalValue(value),
      },
      {
        signature: 'optional.ofNonZeroValue(V) -> optional_type(V)',
        call: (value: Value) => (isZero(value) ? OptionalValue.none : new OptionalValue(value)),
      },
      { signature: 'optional.none() -> optional_type(V)', call: () => OptionalValue.none },
      {
        signature: 'optional_type(V).hasValue() -> bool',
        call: ({ value }: OptionalValue) => value !== undefined,
      },
      {
        signature: 'optional_type(V).value() -> V',
        call: ({ value }: OptionalValue) => (value === undefined ? NOTHING_THERE : value),
      },
      // Evaluated by the planner: the second operand only if needed.
      {
        signature: 'optional_type(V).or(optional_type(V)) -> optional_type(V)',
        call: () => OptionalValue.none,
      },
      { signature: 'optional_type(V).orValue(V) -> V', call: () => NOTHING_THERE },
      {
        signature: '_[_](optional_type(list(V)), int) -> optional_type(V)',
        call: () => OptionalValue.none,
      },
      {
        signature: '_[_](optional_type(map(K, V)), K) -> optional_type(V)',
        call: () => OptionalValue.none,
      },
      { signature: '_[?_](list(V), int) -> optional_type(V)', call: () => OptionalValue.none },
      {
        signature: '_[?_](optional_type(list(V)), int) -> optional_type(V)',
        call: () => OptionalValue.none,
      },
      { signature: '_[?_](map(K, V), K) -> optional_type(V)', call: () => OptionalValue.none },
      {
        signature: '_[?_](optional_type(map(K, V)), K) -> optional_type(V)',
        call: () => OptionalValue.none,
      },
    ]
  },
}
