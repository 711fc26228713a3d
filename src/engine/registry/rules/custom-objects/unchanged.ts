/**
 * Whether a value of a custom resource is as it was: what has not changed is not judged anew (public documentation, "Validation
 * ratcheting"; the release's public sources). It is asked along the schema: what the schema does not name has no counterpart, so
 * whatever holds such a member is never as it was, and neither is the whole object, whose metadata no schema names in full.
 */
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../object'

/** Of a whole object these two count as new, whatever they were before (recorded). */
export const NEVER_UNCHANGED: readonly string[] = ['apiVersion', 'kind']

/** @param schema of the value, combinations aside @param old the value before */
export function isUnchanged(schema: JsonObject, value: Json, old: Json): boolean {
  if (Array.isArray(value))
    return Array.isArray(old) && value.length === old.length && sameItems(schema, value, old)
  if (!isJsonObject(value)) return value === old
  if (!isJsonObject(old)) return false
  const names = membersOf(value)
  return (
    names.length === membersOf(old).length &&
    names.every((name) => sameMember(schema, name, value, old))
  )
}

const membersOf = (object: JsonObject): string[] =>
  Object.keys(object).filter((name) => object[name] !== undefined)

function sameMember(schema: JsonObject, name: string, value: JsonObject, old: JsonObject): boolean {
  const member = schemaOfMember(schema, name)
  const [now, before] = [value[name], Object.hasOwn(old, name) ? old[name] : undefined]
  return (
    member !== undefined &&
    now !== undefined &&
    before !== undefined &&
    isUnchanged(member, now, before)
  )
}

/** Items with keys have counterparts wherever they stand; other lists are compared as they are. */
function sameItems(schema: JsonObject, value: Json[], old: Json[]): boolean {
  const former = formerItems(schema, old)
  if (former === undefined) return equalJson(value, old)
  const { items } = schema
  return value.every((item) => {
    const before = former(item)
    return (
      isJsonObject(items) &&
      before !== undefined &&
      before !== null &&
      isUnchanged(items, item, before)
    )
  })
}

/** The schema of a member: that of its name, or that of members without one. */
export function schemaOfMember(
  { properties, additionalProperties }: JsonObject,
  name: string,
): JsonObject | undefined {
  const property =
    isJsonObject(properties) && Object.hasOwn(properties, name)
      ? properties[name]
      : additionalProperties
  return isJsonObject(property) ? property : undefined
}

/** @returns what an item was before, for lists whose items have keys */
export function formerItems(
  schema: JsonObject,
  old: Json[],
): ((item: Json) => Json | undefined) | undefined {
  const keys = schema['x-kubernetes-list-map-keys']
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(keys)) return undefined
  const keyOf = (item: Json) =>
    isJsonObject(item) ? JSON.stringify(keys.map((key) => item[key as string] ?? null)) : ''
  const byKey = new Map(old.map((item) => [keyOf(item), item]))
  return (item) => byKey.get(keyOf(item))
}
