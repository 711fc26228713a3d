/**
 * A forbidden `null` is replaced by the default, or dropped (recordings `crd-cr-values`,
 * `crd-cr-shape`).
 */
import { type Json, type JsonObject, setMember } from '../core/object'
import type { StructType, TypeNode } from './model'

/** An apply keeps a forbidden null, which validation rejects. Recorded from kube-apiserver 1.31. */
export type Nulls = 'dropped' | 'kept'

/**
 * The object's own metadata has no defaults, that of embedded objects may. Recorded from
 * kube-apiserver 1.31.
 */
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
  // Outside of the schema null is kept. Recorded from kube-apiserver 1.31.
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

/** Items are never dropped: validation rejects a forbidden null. */
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
