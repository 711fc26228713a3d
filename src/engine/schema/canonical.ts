/**
 * The canonical form of an object: exactly the JSON of responses. Members are in the type's order,
 * map keys are sorted, and empty members are omitted unless always written (empty.ts).
 */
import { type Json, type JsonObject, type KubeObject, setMember } from '../core/object'
import { isOmitted, readsBackAsNull, zeroOfField } from './empty'
import type { Field, StructType, TypeNode } from './model'
import { OrderedMembers } from './ordered-members'

/**
 * The form of always-written lists and maps that are empty. `wire`: unchanged. `stored`: null,
 * since the Protobuf form in storage does not distinguish empty from absent. Recorded: `rules: []`
 * of a new role.
 */
export type Form = 'wire' | 'stored'

/**
 * The canonical form of an object of a type. Canonical parts are shared with the argument, which is
 * not changed. Members that are `undefined` or unknown are dropped. Values are not validated:
 * decode input first.
 */
export function canonicalize(
  type: StructType,
  object: KubeObject,
  form: Form = 'wire',
): KubeObject {
  return canonicalValue(type, object as unknown as JsonObject, form) as unknown as KubeObject
}

/** The same for a value of any type. */
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
  // Most structures are canonical already, so copying starts at the first difference.
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

/** The members before the first one that is not canonical; all if `end` is undefined. */
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

/** The member's canonical value, or undefined if it is left out. */
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

/**
 * Objects, and lists of objects, in place of arbitrary JSON have their own type
 * (JSONSchemaPropsOrArray).
 */
function canonicalObjects(type: StructType, value: JsonObject | Json[], form: Form): Json {
  return Array.isArray(value)
    ? canonicalList(type, value, form)
    : canonicalStruct(type, value, form)
}

/**
 * Objects of custom resources: names sorted at every level, nothing omitted. Sorted parts are
 * shared with the argument.
 */
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

/**
 * Escapes characters as Go's JSON encoder does, so that the text is safe in HTML and JavaScript.
 */
export function escapeHtml(jsonText: string): string {
  // Searching for each character is many times faster than a regular expression over the text.
  if (!HTML.some((sign) => jsonText.includes(sign))) return jsonText
  return jsonText.replace(
    HTML_EVERYWHERE,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
