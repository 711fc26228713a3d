/** Empty values, as in Go's encoding/json. */
import type { Json, JsonObject } from '../core/object'
import type { Field, StructType, TypeNode } from './model'

/**
 * `omitempty`: a non-pointer that is `false`, `0`, `""` or an empty list or map. Structures held by
 * value are never omitted.
 */
export function isOmitted(field: Field, value: Json): boolean {
  if (field.whenEmpty === 'zero') return false
  if (value === null) return true
  return !field.pointer && isEmpty(value)
}

function isEmpty(value: Json): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false
  if (value === null) return true
  if (Array.isArray(value)) return value.length === 0
  for (const name in value) if (Object.hasOwn(value, name)) return false
  return true
}

/** Storage does not distinguish an empty list or map from an absent one. */
export function readsBackAsNull(field: Field, value: Json): boolean {
  const { type } = field.type
  return field.whenEmpty === 'zero' && (type === 'list' || type === 'map') && isEmpty(value)
}

export function zeroOfField(field: Field): Json {
  return field.pointer ? null : zeroOf(field.type)
}

export function zeroOf(type: TypeNode): Json {
  if (type.type === 'struct') return zeroStruct(type)
  if (type.type !== 'scalar') return null
  switch (type.format) {
    case 'string':
      return ''
    case 'boolean':
      return false
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0
    case 'quantity':
      return '0'
    default:
      return null
  }
}

export function zeroStruct(type: StructType): JsonObject {
  const zero: JsonObject = {}
  for (const field of type.alwaysWritten) zero[field.name] = zeroOfField(field)
  return zero
}

export const isAlwaysWritten = ({ whenEmpty }: Field): boolean => whenEmpty === 'zero'
