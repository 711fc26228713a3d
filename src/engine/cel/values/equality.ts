/** When values are equal, and which comes first (cel-spec, doc/langdef.md, "Equality" and "Ordering"). */
import { entryOf } from '../../object'
import {
  Duration,
  EvaluationError,
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

/** Values of different types are unequal, except that numbers are compared whatever their types. */
export function equal(a: Value, b: Value): boolean {
  // What is made of parts is compared part by part even with itself: it may hold what equals nothing, as no number and null do.
  if (typeof a !== 'object' || a === null) {
    if (a === b) return true
    if (typeof a === 'string' || typeof a === 'boolean') return false
  }
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (a instanceof ListValue) return b instanceof ListValue && equalLists(a, b)
  if (a instanceof MapValue) return b instanceof MapValue && equalMaps(a, b)
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0
  if (a instanceof Duration) return b instanceof Duration && a.nanoseconds === b.nanoseconds
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanoseconds === b.nanoseconds
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name
  if (a instanceof OptionalValue) return b instanceof OptionalValue && equalOptionals(a, b)
  return a instanceof OpaqueValue && a.equals(b) === true
}

/** What `==` says: values of objects by a schema are not compared with what is of another kind (recorded). */
export function equality(a: Value, b: Value): boolean | EvaluationError {
  if (a instanceof ListValue && a.comparedWithin === true && b !== null) {
    if (!(b instanceof ListValue)) return NO_SUCH_OVERLOAD
    if (a.compared !== undefined) return a.compared(b, equality)
  }
  if (a instanceof MapValue && a.comparedWithin === true && b !== null) {
    if (!(b instanceof MapValue)) return NO_SUCH_OVERLOAD
    if (a.compared !== undefined) return a.compared(b, equality)
  }
  return equal(a, b)
}

function equalLists(a: ListValue, b: ListValue): boolean {
  if (a.equals !== undefined) return a.equals(b, equal)
  if (a.size !== b.size) return false
  for (let index = 0; index < a.size; index++) if (!equal(a.at(index), b.at(index))) return false
  return true
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  if (a.equals !== undefined) return a.equals(b, equal)
  if (a.size !== b.size) return false
  return a.keys().every((key) => {
    const other = b.find(key)
    return other !== undefined && equal(a.find(key) as Value, other)
  })
}

function equalOptionals(a: OptionalValue, b: OptionalValue): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value
  return equal(a.value, b.value)
}

export type NumberValue = bigint | number | UInt

export function isNumber(value: Value): value is NumberValue {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof UInt
}

/** @returns negative, zero or positive; NaN if one of them is none */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  const left = a instanceof UInt ? a.value : a
  const right = b instanceof UInt ? b.value : b
  if (typeof left === 'number' && Number.isNaN(left)) return Number.NaN
  if (typeof right === 'number' && Number.isNaN(right)) return Number.NaN
  // A whole number is compared with a double as the double next to it.
  if (typeof left === 'bigint' && typeof right === 'number')
    return compareDoubles(Number(left), right)
  if (typeof left === 'number' && typeof right === 'bigint')
    return compareDoubles(left, Number(right))
  return left < right ? -1 : left > right ? 1 : 0
}

const compareDoubles = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

/** Texts are ordered by code points. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    let left = a.charCodeAt(at)
    let right = b.charCodeAt(at)
    if (left === right) continue
    // Surrogates stand for what is beyond every other unit.
    if (left >= 0xd800 && right >= 0xd800) {
      left = left >= 0xe000 ? left - 0x2000 : left + 0x2000
      right = right >= 0xe000 ? right - 0x2000 : right + 0x2000
    }
    return left - right
  }
  return a.length - b.length
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const difference = (a[at] as number) - (b[at] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** @returns an error if the two have no order */
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

/** Types that have all operators, or functions of their own, which are looked for in place of one that they have not. */
const RECEIVERS = ['string', 'google.protobuf.Duration', 'google.protobuf.Timestamp']
const CALCULATED = ['double', 'int', 'uint', ...RECEIVERS]
const COMPARED = ['bool', 'bytes', ...CALCULATED]
const NEGATED = ['bool', 'double', 'int', ...RECEIVERS]

/** By operator or function, the types whose values are asked for it. Of others it is told by name that they have none. */
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

/** What is said of an operator that does not take its operands; it is named where it takes nothing like the first (recorded). */
export function noSuchOperation(operator: string, first: Value): EvaluationError {
  const operands = entryOf(OPERANDS, operator)
  if (operands === undefined || operands.includes(typeNameOf(first))) return NO_SUCH_OVERLOAD
  return new EvaluationError(`no such overload: ${operator}`)
}

export const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')
