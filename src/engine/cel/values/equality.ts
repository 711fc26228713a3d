/** cel-spec, doc/langdef.md, "Equality" and "Ordering". */
import { entryOf } from '../../core/object'
import {
  Duration,
  EvaluationError,
  JoinedList,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  typeNameOf,
  UInt,
  type Value,
} from './value'

/**
 * `==`: compares numbers across types; incomparable types give an error (cel-go, common/types,
 * `Equal`).
 */
export function equality(a: Value, b: Value): boolean | EvaluationError {
  return a === null || b === null ? a === b : valueEquality(a, b)
}

/** An error is false. */
export const equal = (a: Value, b: Value): boolean => equality(a, b) === true

/** For parts of values: some types reject null. */
export function valueEquality(a: Value, b: Value): boolean | EvaluationError {
  if (typeof a !== 'object' || a === null) {
    if (a === b) return true
    if (typeof a === 'string' || typeof a === 'boolean' || a === null) return false
  }
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0
  if (a instanceof ListValue) return listEquality(a, b)
  if (a instanceof MapValue) return mapEquality(a, b)
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0
  if (a instanceof Duration) return b instanceof Duration && a.nanoseconds === b.nanoseconds
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanoseconds === b.nanoseconds
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name
  if (a instanceof OptionalValue) return b instanceof OptionalValue && optionalEquality(a, b)
  return a instanceof OpaqueValue ? (a.equals(b) ?? NO_SUCH_OVERLOAD) : false
}

function listEquality(a: ListValue, b: Value): boolean | EvaluationError {
  if (!(b instanceof ListValue)) return a.comparedWithin === true ? NO_SUCH_OVERLOAD : false
  if (a.compared !== undefined) return a.compared(b, valueEquality)
  if (a.size !== b.size) return false
  let failed: EvaluationError | undefined
  for (let index = 0; index < a.size; index++) {
    const same = equality(a.at(index), b.at(index))
    if (same === false) return false
    if (same !== true) failed ??= same
  }
  // Other lists do not report incomparable items.
  return a instanceof JoinedList ? (failed ?? true) : true
}

function mapEquality(a: MapValue, b: Value): boolean | EvaluationError {
  if (!(b instanceof MapValue)) return a.comparedWithin === true ? NO_SUCH_OVERLOAD : false
  if (a.compared !== undefined) return a.compared(b, valueEquality)
  if (a.size !== b.size) return false
  // Incomparable members count as equal.
  return a.keys().every((key) => {
    const other = b.find(key)
    return other !== undefined && equality(a.find(key) as Value, other) !== false
  })
}

function optionalEquality(a: OptionalValue, b: OptionalValue): boolean | EvaluationError {
  if (a.value === undefined || b.value === undefined) return a.value === b.value
  return valueEquality(a.value, b.value)
}

export type NumberValue = bigint | number | UInt

export function isNumber(value: Value): value is NumberValue {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof UInt
}

/** NaN if either is NaN. */
function compareNumbers(a: NumberValue, b: NumberValue): number {
  const left = a instanceof UInt ? a.value : a
  const right = b instanceof UInt ? b.value : b
  if (typeof left === 'number' && Number.isNaN(left)) return Number.NaN
  if (typeof right === 'number' && Number.isNaN(right)) return Number.NaN
  // As the nearest double.
  if (typeof left === 'bigint' && typeof right === 'number')
    return compareDoubles(Number(left), right)
  if (typeof left === 'number' && typeof right === 'bigint')
    return compareDoubles(left, Number(right))
  return left < right ? -1 : left > right ? 1 : 0
}

const compareDoubles = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

/** By code points. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    let left = a.charCodeAt(at)
    let right = b.charCodeAt(at)
    if (left === right) continue
    // Surrogates encode the highest code points.
    if (left >= 0xd800 && right >= 0xd800) {
      left = left >= 0xe000 ? left - 0x2000 : left + 0x2000
      right = right >= 0xe000 ? right - 0x2000 : right + 0x2000
    }
    return left - right
  }
  return a.length - b.length
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const difference = (a[at] as number) - (b[at] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** @returns an error for values without an order */
export function compare(a: Value, b: Value): number | EvaluationError {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b)
  if (a instanceof Duration && b instanceof Duration)
    return compareNumbers(a.nanoseconds, b.nanoseconds)
  if (a instanceof Timestamp && b instanceof Timestamp)
    return compareNumbers(a.nanoseconds, b.nanoseconds)
  return NO_SUCH_OVERLOAD
}

/** Types that cel-go treats as receivers: they handle operators and functions themselves. */
const RECEIVERS = ['string', 'google.protobuf.Duration', 'google.protobuf.Timestamp']
const CALCULATED = ['double', 'int', 'uint', ...RECEIVERS]
const COMPARED = ['bool', 'bytes', ...CALCULATED]
const NEGATED = ['bool', 'double', 'int', ...RECEIVERS]

/** The types that cel-go dispatches to. Messages for others contain the operator or function. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  '_<_': COMPARED,
  '_<=_': COMPARED,
  '_>_': COMPARED,
  '_>=_': COMPARED,
  '_+_': ['bytes', 'list', ...CALCULATED],
  '_-_': CALCULATED,
  '_*_': CALCULATED,
  '_/_': CALCULATED,
  '_%_': ['int', 'uint', ...RECEIVERS],
  '-_': NEGATED,
  size: RECEIVERS,
  matches: RECEIVERS,
}

/** policy-cel-types */
export function noSuchOperation(operator: string, first: Value): EvaluationError {
  const operands = entryOf(OPERANDS, operator)
  if (operands === undefined || operands.includes(typeNameOf(first))) return NO_SUCH_OVERLOAD
  return new EvaluationError(`no such overload: ${operator}`)
}

export const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')
