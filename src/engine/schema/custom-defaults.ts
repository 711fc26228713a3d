/**
 * Defaults of custom resources. A `null` where the schema does not allow it counts as absent: the default takes its place, or it
 * is dropped (recorded: crd-cr-values, "crd-cr-nullable"; crd-cr-shape, "null-value").
 */
import { type Json, type JsonObject, setMember } from '../object'
import type { StructType, TypeNode } from './model'

/** What becomes of a null that the schema does not allow and that has no default: an apply keeps it, and is refused for it (recorded). */
export type Nulls = 'dropped' | 'kept'

/** Fills in the defaults of an object, in place. Its own metadata has none; that of objects inside it may (recorded). */
export function applyCustomDefaults(
  type: StructType,
  object: JsonObject,
  nulls: Nulls = 'dropped',
): void {
  for (const field of type.fields) {
    if (field.default === undefined || Object.hasOwn(object, field.name)) continue
    setMember(object, field.name, structuredClone(field.default))
  }
  for (const name of Object.keys(object)) {
    const field = type.byName.get(name)
    const isMetadata = type.resource === true && name === 'metadata'
    const member = isMetadata ? type.metadata : (field?.type ?? type.additional)
    if (member !== undefined)
      defaultMember(object, name, member, field?.default ?? member.default, nulls)
  }
}

function defaultMember(
  object: JsonObject,
  name: string,
  type: TypeNode,
  value: Json | undefined,
  nulls: Nulls,
): void {
  // A null of which no schema speaks stays (recorded).
  if (
    object[name] === null &&
    type.nullable !== true &&
    !(type.type === 'any' && type.closed === true)
  ) {
    if (value === undefined) {
      if (nulls === 'dropped') delete object[name]
      return
    }
    setMember(object, name, structuredClone(value))
  }
  defaultValue(type, object[name] as Json, nulls)
}

/** Items are never dropped: one that may not be null and has no default is an error that validation tells. */
function defaultItems(items: Json[], type: TypeNode, nulls: Nulls): void {
  for (const [index, item] of items.entries()) {
    if (item === null && type.nullable !== true && type.default !== undefined)
      items[index] = structuredClone(type.default)
    defaultValue(type, items[index] as Json, nulls)
  }
}

function defaultValue(type: TypeNode, value: Json, nulls: Nulls): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const list = type.type === 'list' ? type : type.others?.list
    if (list) defaultItems(value, list.items, nulls)
  } else if (type.others?.object) defaultValue(type.others.object, value, nulls)
  else if (type.type === 'struct') applyCustomDefaults(type, value, nulls)
  else if (type.type === 'map')
    for (const name of Object.keys(value))
      defaultMember(value, name, type.values, type.values.default, nulls)
}
