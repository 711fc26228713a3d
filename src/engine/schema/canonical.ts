/**
 * The canonical form: members in the type's order, map keys sorted, empty members omitted
 * (empty.ts).
 */
import { type Json, type JsonObject, type KubeObject, setMember } from '../core/object'
import { isOmitted, readsBackAsNull, zeroOfField } from './empty'
import type { Field, StructType, TypeNode } from './model'
import { OrderedMembers } from './ordered-members'

/**
 * `stored` makes empty always-written lists and maps null, as the Protobuf form in storage does.
 * Recorded: `rules: []` of a new role.
 */
export type Form = 'wire' | 'stored'

/**
 * Shares canonical parts with the argument. Drops `undefined` and unknown members. Does not
 * validate: decode input first.
 */
export function canonicalize(
  type: StructType,
  object: KubeObject,
  form: Form = 'wire',
): KubeObject {
  return canonicalValue(type, object as unknown as JsonObject, form) as unknown as KubeObject
}

export function canonicalValue(type: TypeNode, value: Json, form: Form = 'wire'): Json {
  if (typeof value !== 'object' || value === null) return value
  switch (type.type) {
    case 'struct':
      if (Array.isArray(value)) return value
      return type.name === '' ? sortedDeep(value) : canonicalStruct(type, value, form)
    case 'map':
      return Array.isArray(value) ? value : canonicalMap(type.values, value, form)
    case 'list':
      return Array.isArray(value) ? canonicalList(type.items, value, form) : value
    case 'any':
      return type.objects === undefined ? value : canonicalObjects(type.objects, value, form)
    default:
      return value
  }
}

function canonicalStruct(type: StructType, object: JsonObject, form: Form): JsonObject {
  const { byName } = type
  // Most structures are canonical: copying starts at the first difference.
  let laid: OrderedMembers | undefined
  let last = -1
  for (const name in object) {
    const field = byName.get(name)
    const value = object[name]
    const canonical =
      field === undefined || value === undefined ? undefined : canonicalMember(field, value, form)
    if (
      laid === undefined &&
      (canonical !== value || field === undefined || canonical === undefined || field.index < last)
    )
      laid = membersBefore(type, object, name)
    if (field === undefined || canonical === undefined) continue
    last = field.index
    laid?.put(field, canonical)
  }
  for (const field of type.alwaysWritten) {
    if (object[field.name] !== undefined) continue
    laid ??= membersBefore(type, object, undefined)
    laid.put(field, zeroOfField(field))
  }
  return laid === undefined ? object : laid.object()
}

function membersBefore(
  type: StructType,
  object: JsonObject,
  end: string | undefined,
): OrderedMembers {
  const members = new OrderedMembers()
  for (const name in object) {
    if (name === end) break
    const field = type.byName.get(name)
    if (field !== undefined) members.put(field, object[name] as Json)
  }
  return members
}

function canonicalMember(field: Field, value: Json, form: Form): Json | undefined {
  if (typeof value !== 'object') return isOmitted(field, value) ? undefined : value
  if (value === null) return field.whenEmpty === 'omit' ? undefined : zeroOfField(field)
  const canonical = canonicalValue(field.type, value, form)
  if (isOmitted(field, canonical)) return undefined
  return form === 'stored' && readsBackAsNull(field, canonical) ? null : canonical
}

function canonicalMap(values: TypeNode, map: JsonObject, form: Form): JsonObject {
  let changed = false
  let last: string | undefined
  for (const key in map) {
    const value = map[key]
    if (
      value === undefined ||
      (last !== undefined && key < last) ||
      (typeof value === 'object' && canonicalValue(values, value, form) !== value)
    ) {
      changed = true
      break
    }
    last = key
  }
  if (!changed) return map
  const sorted: JsonObject = {}
  for (const key of Object.keys(map).sort()) {
    const value = map[key]
    if (value !== undefined) setMember(sorted, key, canonicalValue(values, value, form))
  }
  return sorted
}

function canonicalList(items: TypeNode, list: Json[], form: Form): Json[] {
  if (items.type === 'scalar') return list
  let changed: Json[] | undefined
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json
    const canonical = canonicalValue(items, item, form)
    if (canonical === item) continue
    changed ??= list.slice()
    changed[i] = canonical
  }
  return changed ?? list
}

function canonicalObjects(type: StructType, value: JsonObject | Json[], form: Form): Json {
  return Array.isArray(value)
    ? canonicalList(type, value, form)
    : canonicalStruct(type, value, form)
}

/** For custom resources: sorts names at every level, omits nothing. */
export function sortedDeep(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return sortedItems(value)
  let changed = false
  let last: string | undefined
  const members: JsonObject = {}
  for (const name in value) {
    const member = value[name]
    if (member === undefined) changed = true
    else {
      const sorted = sortedDeep(member)
      if (sorted !== member || (last !== undefined && name < last)) changed = true
      setMember(members, name, sorted)
    }
    last = name
  }
  if (!changed) return value
  const sorted: JsonObject = {}
  for (const name of Object.keys(members).sort()) setMember(sorted, name, members[name] as Json)
  return sorted
}

function sortedItems(list: Json[]): Json[] {
  let changed: Json[] | undefined
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json
    const sorted = sortedDeep(item)
    if (sorted === item) continue
    changed ??= list.slice()
    changed[i] = sorted
  }
  return changed ?? list
}

const HTML = ['<', '>', '&', '\u2028', '\u2029']
const HTML_EVERYWHERE = /[<>&\u2028\u2029]/g

export function escapeHtml(jsonText: string): string {
  // Much faster than a regular expression.
  if (!HTML.some((sign) => jsonText.includes(sign))) return jsonText
  return jsonText.replace(
    HTML_EVERYWHERE,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
