import { Duration, EvaluationError, Timestamp, UInt, type Value } from './value'

const MIN_INT = -(2n ** 63n)
const MAX_INT = 2n ** 63n - 1n
const MAX_UINT = 2n ** 64n - 1n

const INTEGER_OVERFLOW = new EvaluationError('integer overflow')
const UNSIGNED_OVERFLOW = new EvaluationError('unsigned integer overflow')
const DIVISION_BY_ZERO = new EvaluationError('division by zero')
const MODULUS_BY_ZERO = new EvaluationError('modulus by zero')
const DURATION_OVERFLOW = INTEGER_OVERFLOW
const TIMESTAMP_OVERFLOW = new EvaluationError('timestamp overflow')

export const inIntRange = (value: bigint): boolean => value >= MIN_INT && value <= MAX_INT
export const inUintRange = (value: bigint): boolean => value >= 0n && value <= MAX_UINT

export function int(value: bigint): Value {
  // Cheaper than `BigInt.asIntN`.
  return inIntRange(value) ? value : INTEGER_OVERFLOW
}

export function uint(value: bigint): Value {
  return inUintRange(value) ? new UInt(value) : UNSIGNED_OVERFLOW
}

export function divide(a: bigint, b: bigint, wrap: (value: bigint) => Value): Value {
  return b === 0n ? DIVISION_BY_ZERO : wrap(a / b)
}

export function modulo(a: bigint, b: bigint, wrap: (value: bigint) => Value): Value {
  if (b === 0n) return MODULUS_BY_ZERO
  // Go computes the remainder from an overflowing quotient.
  return a === MIN_INT && b === -1n ? INTEGER_OVERFLOW : wrap(a % b)
}

export function duration(nanoseconds: bigint): Value {
  return inIntRange(nanoseconds) ? new Duration(nanoseconds) : DURATION_OVERFLOW
}

const SECOND = 1_000_000_000n
/** Years 1 to 9999. */
const MIN_TIMESTAMP = -62135596800n * SECOND
const MAX_TIMESTAMP = 253402300799n * SECOND + SECOND - 1n

export function timestamp(nanoseconds: bigint, offset = 0): Timestamp | EvaluationError {
  return nanoseconds < MIN_TIMESTAMP || nanoseconds > MAX_TIMESTAMP
    ? TIMESTAMP_OVERFLOW
    : new Timestamp(nanoseconds, offset)
}
