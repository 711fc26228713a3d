import { ObjectValue } from '../../cel/library/patch-types'
import { toText } from '../../cel/values/conversions'
import { formatDuration, formatTimestamp } from '../../cel/values/time'
import {
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  typeNameOf,
  UInt,
  type Value,
} from '../../cel/values/value'
import { type Json, type JsonObject, setMember } from '../../core/object'
import { base64OfBytes } from '../../schema/base64'

export class UnconvertibleValue extends Error {}

/** Larger integers are strings, as in the JSON of protobuf values. */
const MOST_EXACT = 2n ** 53n

export interface JsonRules {
  /** Large integers and map keys become strings. */
  lenient: boolean
}

/** @throws UnconvertibleValue */
export function jsonOfValue(value: Value, rules: JsonRules): Json {
  if (value === null) return null
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'string':
      return value
    case 'bigint':
      return integer(value, rules)
    default:
      return jsonOfObject(value, rules)
  }
}

const integer = (value: bigint, { lenient }: JsonRules): Json =>
  lenient && (value > MOST_EXACT || value < -MOST_EXACT) ? String(value) : Number(value)

function jsonOfObject(value: Exclude<Value, null | string>, rules: JsonRules): Json {
  if (value instanceof UInt) return integer(value.value, rules)
  if (value instanceof ListValue) return [...value].map((item) => jsonOfValue(item, rules))
  if (value instanceof ObjectValue) return membersOf(value.fields, rules)
  if (value instanceof MapValue)
    return membersOf(
      value.keys().map((key) => [nameOf(key, rules), value.find(key) ?? null] as const),
      rules,
    )
  if (value instanceof OptionalValue)
    return value.value === undefined ? null : jsonOfValue(value.value, rules)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof Uint8Array) return base64OfBytes(value)
  if (value instanceof OpaqueValue)
    throw new UnconvertibleValue(`unable to convert to *structpb.Value: ${value.goText}`)
  throw new UnconvertibleValue(`unsupported type ${typeNameOf(value as Value)}`)
}

function membersOf(entries: Iterable<readonly [string, Value]>, rules: JsonRules): JsonObject {
  const members: JsonObject = {}
  for (const [name, value] of entries) setMember(members, name, jsonOfValue(value, rules))
  return members
}

function nameOf(key: Value, { lenient }: JsonRules): string {
  if (typeof key === 'string') return key
  const text = toText(key)
  if (lenient && typeof text === 'string') return text
  throw new UnconvertibleValue(
    `map key ${JSON.stringify(String(text))} is of type types.${goKeyType(key)}, not string`,
  )
}

function goKeyType(key: Value): string {
  const name = typeNameOf(key)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
