/** How the real server's own language names the types of values, where its messages tell them. */
import { entryOf } from '../../object'
import { typeNameOf, type Value } from './value'

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
