/** Defaults in the schemas; strategies compute others. */
import { memoizeByIdentity } from '../core/identity-memo'
import {
  entryOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  setMember,
} from '../core/object'
import { applyCustomDefaults, type Nulls } from './custom-defaults'
import type { Field, StructType, TypeNode } from './model'

/** Recorded: `protocol: TCP` of ports, `cachingMode: ReadWrite` of an azureDisk. */
export function applyDefaults(
  type: StructType,
  object: KubeObject,
  nulls: Nulls = 'dropped',
): void {
  const members = object as unknown as JsonObject
  if (type.resource === true) applyCustomDefaults(type, members, nulls)
  else defaultStruct(type, members)
}

function defaultStruct(type: StructType, object: JsonObject): void {
  for (const { field, value: byDefault } of fieldsWithDefaults(type)) {
    const value = entryOf(object, field.name)
    if (value === undefined || value === null || (value === '' && !field.pointer)) {
      if (byDefault !== undefined)
        setMember(
          object,
          field.name,
          typeof byDefault === 'object' ? structuredClone(byDefault) : byDefault,
        )
    } else if (typeof value === 'object') defaultValue(field.type, value)
  }
}

function defaultValue(type: TypeNode, value: Json): void {
  if (type.type === 'struct') {
    if (isJsonObject(value)) defaultStruct(type, value)
  } else if (type.type === 'list') {
    if (Array.isArray(value)) for (const item of value) defaultValue(type.items, item)
  } else if (type.type === 'map' && isJsonObject(value)) {
    for (const key in value) defaultValue(type.values, value[key] as Json)
  }
}

/** A field without pointer has the zero value anyway. */
function statedDefault(field: Field): Json | undefined {
  const { default: value, pointer } = field
  return value === undefined ||
    pointer ||
    !['{}', '""', '0', 'false'].includes(JSON.stringify(value))
    ? value
    : undefined
}

interface Defaulted {
  field: Field
  /** undefined: the defaults are below the field. */
  value: Json | undefined
}

/** Few types have any. */
const fieldsWithDefaults = memoizeByIdentity((type: StructType): Defaulted[] =>
  type.fields
    .map((field) => ({ field, value: statedDefault(field) }))
    .filter(({ field, value }) => value !== undefined || reachesDefault(field.type, new Set())),
)

function reachesDefault(type: TypeNode, visited: Set<TypeNode>): boolean {
  if (type.type === 'list') return reachesDefault(type.items, visited)
  if (type.type === 'map') return reachesDefault(type.values, visited)
  if (type.type !== 'struct' || visited.has(type)) return false
  visited.add(type)
  return type.fields.some(
    (field) => statedDefault(field) !== undefined || reachesDefault(field.type, visited),
  )
}
