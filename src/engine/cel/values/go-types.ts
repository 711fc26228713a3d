import { entryOf } from '../../core/object'
import { withoutTrailing } from '../../core/text-end'
import { goNumber } from '../../schema/go-number'
import { formatTimestamp } from './time'
import {
  Duration,
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

/** By CEL type (reports-differences-expressions/not-iterable). */
const GO_TYPES: Readonly<Record<string, string>> = {
  bool: 'types.Bool',
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  string: 'types.String',
  bytes: 'types.Bytes',
  null_type: 'types.Null',
  type: '*types.Type',
  optional_type: '*types.Optional',
  'google.protobuf.Duration': 'types.Duration',
  'google.protobuf.Timestamp': 'types.Timestamp',
}

/** Go's `%T`. */
export function goTypeOf(value: Value): string {
  if (value instanceof ListValue || value instanceof MapValue || value instanceof OpaqueValue)
    return value.goType
  const name = typeNameOf(value)
  return entryOf(GO_TYPES, name) ?? name
}

/**
 * Go's `%v` of cel-go's types (common/types, `String`). Null is the number of `structpb.NullValue`;
 * types replace memory addresses.
 */
export function goText(value: Value): string {
  if (value === null) return '0'
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return goNumber(value)
  }
  if (value instanceof UInt) return String(value.value)
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`
  if (value instanceof Duration) return goDurationText(value.nanoseconds)
  if (value instanceof Timestamp) return goTimeText(value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof OptionalValue)
    return value.value === undefined ? 'optional.none()' : `optional(${goText(value.value)})`
  if (value instanceof ListValue) return `[${Array.from(value, goText).join(', ')}]`
  if (value instanceof MapValue) return `{${mapEntries(value).join(', ')}}`
  return value instanceof OpaqueValue ? value.goText : typeNameOf(value)
}

const mapEntries = (map: MapValue): string[] =>
  map.keys().map((key) => `${goText(key)}: ${goText(map.find(key) ?? null)}`)

/** In nanoseconds. */
const SMALL_UNITS: readonly [length: bigint, unit: string][] = [
  [1_000_000n, 'ms'],
  [1_000n, 'µs'],
  [1n, 'ns'],
]
const SECOND = 1_000_000_000n

/** Go's `time.Duration`: `1h0m1.5s`, `250ms`. */
function goDurationText(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : ''
  const length = nanoseconds < 0n ? -nanoseconds : nanoseconds
  if (length === 0n) return '0s'
  if (length < SECOND) {
    const [unit, name] = SMALL_UNITS.find(([unit]) => length >= unit) as [bigint, string]
    return `${sign}${withFraction(length, unit)}${name}`
  }
  const minutes = length / (60n * SECOND)
  const hours = minutes / 60n
  const seconds = `${withFraction(length % (60n * SECOND), SECOND)}s`
  if (minutes === 0n) return `${sign}${seconds}`
  return `${sign}${hours > 0n ? `${hours}h` : ''}${minutes % 60n}m${seconds}`
}

function withFraction(length: bigint, unit: bigint): string {
  const rest = length % unit
  const digits = withoutTrailing(String(unit + rest).slice(1), '0')
  return `${length / unit}${digits === '' ? '' : `.${digits}`}`
}

/** Go's `time.Time`: `2006-01-02 15:04:05.9 +0000 UTC`. */
function goTimeText(time: Timestamp): string {
  const [date = '', clock = ''] = formatTimestamp(time).split('T')
  const [, local = '', zone = ''] = /^([\d:.]+)(.*)/.exec(clock) ?? []
  const offset = zone === 'Z' ? '+0000' : zone.replace(':', '')
  return `${date} ${local} ${offset} ${zone === 'Z' ? 'UTC' : offset}`
}
