/** `int("1")`, `string(1.5)` (policy-cel-types). */

import { formatDouble } from '../../schema/go-number'
import { TRUE_TEXTS } from '../../schema/go-text'
import { inIntRange, int, inUintRange, timestamp, uint } from './arithmetic'
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp } from './time'
import { Duration, EvaluationError, Timestamp, typeNameOf, UInt, type Value } from './value'

const cannotConvert = (value: Value, type: string): EvaluationError =>
  new EvaluationError(`type conversion error from '${typeNameOf(value)}' to '${type}'`)

const INTEGER_OVERFLOW = new EvaluationError('integer overflow')
const UNSIGNED_OVERFLOW = new EvaluationError('unsigned integer overflow')

export function toInt(value: Value): Value {
  if (typeof value === 'bigint') return value
  if (value instanceof UInt) return int(value.value)
  if (value instanceof Timestamp) return floorSeconds(value.nanoseconds)
  if (value instanceof Duration) return value.nanoseconds
  if (typeof value === 'number') {
    // 2^63 and -2^63 themselves are out of range, as in cel-go.
    return Number.isFinite(value) && value > -(2 ** 63) && value < 2 ** 63
      ? BigInt(Math.trunc(value))
      : INTEGER_OVERFLOW
  }
  if (typeof value === 'string' && /^[-+]?\d+$/.test(value)) {
    const number = BigInt(value.replace(/^\+/, ''))
    if (inIntRange(number)) return number
  }
  return cannotConvert(value, 'int')
}

function floorSeconds(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / 1_000_000_000n
  return nanoseconds % 1_000_000_000n < 0n ? seconds - 1n : seconds
}

export function toUint(value: Value): Value {
  if (value instanceof UInt) return value
  if (typeof value === 'bigint') return uint(value)
  if (typeof value === 'number') {
    return Number.isFinite(value) && value >= 0 && value < 2 ** 64
      ? new UInt(BigInt(Math.trunc(value)))
      : UNSIGNED_OVERFLOW
  }
  if (typeof value === 'string' && /^\d+$/.test(value) && inUintRange(BigInt(value)))
    return new UInt(BigInt(value))
  return cannotConvert(value, 'uint')
}

const DOUBLE = /^[-+]?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)$/
const INFINITE = /^([-+]?)inf(?:inity)?$/i

export function toDouble(value: Value): Value {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof UInt) return Number(value.value)
  if (typeof value === 'string') {
    if (DOUBLE.test(value) && Number.isFinite(Number(value))) return Number(value)
    const infinite = INFINITE.exec(value)
    if (infinite !== null)
      return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    if (/^nan$/i.test(value)) return Number.NaN
  }
  return cannotConvert(value, 'double')
}

export function toText(value: Value): Value {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return formatDouble(value)
  if (value instanceof UInt) return String(value.value)
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Uint8Array) return decodeText(value) ?? INVALID_TEXT
  return cannotConvert(value, 'string')
}

const INVALID_TEXT = new EvaluationError('invalid UTF-8 in bytes, cannot convert to string')

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

export function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') {
    if (TRUE_TEXTS.has(value)) return true
    if (FALSE.has(value)) return false
  }
  return cannotConvert(value, 'bool')
}

export function toDuration(value: Value): Value {
  if (value instanceof Duration) return value
  return (
    (typeof value === 'string' ? parseDuration(value) : undefined) ??
    cannotConvert(value, 'google.protobuf.Duration')
  )
}

export function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value
  if (typeof value === 'bigint') return timestamp(value * 1_000_000_000n)
  return (
    (typeof value === 'string' ? parseTimestamp(value) : undefined) ??
    cannotConvert(value, 'google.protobuf.Timestamp')
  )
}
