/** How the real server's own language names the types of values, where its messages tell them. */
import { entryOf } from '../../object'
import { goNumber } from '../../schema/go-number'
import {
  ListValue,
  MapValue,
  OptionalValue,
  TypeValue,
  typeNameOf,
  UInt,
  type Value,
} from './value'

/** By the name of the type in expressions (recorded: reports-differences-expressions/not-iterable). */
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
  'kubernetes.Quantity': 'cel.Quantity',
  'kubernetes.URL': 'cel.URL',
  'net.IP': 'cel.IP',
  'net.CIDR': 'cel.CIDR',
}

/** @returns the name in expressions for what is in no message of the real server that is known */
export function goTypeOf(value: Value): string {
  const name = typeNameOf(value)
  return entryOf(GO_TYPES, name) ?? name
}

/**
 * Returns a value as Go's `%v` prints cel-go's types (common/types: `String` of lists, maps and
 * optionals). Null is the number of `structpb.NullValue`. Types whose form is not known print
 * their name.
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
  if (value instanceof TypeValue) return value.name
  if (value instanceof OptionalValue)
    return value.value === undefined ? 'optional.none' : `optional(${goText(value.value)})`
  if (value instanceof ListValue) return `[${Array.from(value, goText).join(', ')}]`
  if (value instanceof MapValue) return `{${mapEntries(value).join(', ')}}`
  return typeNameOf(value)
}

const mapEntries = (map: MapValue): string[] =>
  map.keys().map((key) => `${goText(key)}: ${goText(map.find(key) ?? null)}`)
