/**
 * See kubernetes.io, "Validation ratcheting". Members outside the schema make a value count as
 * changed. The whole object always does, since no schema describes all metadata.
 */
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../core/object'

/** Of the root object. Recorded from kube-apiserver 1.31. */
export const NEVER_UNCHANGED: readonly string[] = ['apiVersion', 'kind']

/** @param schema without combinations */
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

/** Items of map lists correlate by key; other lists are compared as a whole. */
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

/** Finds the old item; undefined unless the list is a map. */
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

/** Alternatives have no structure to compare with. */
export interface Former {
  value: Json
  schema: JsonObject
}

export const formerOf = (value: Json | undefined, schema: Json | undefined): Former | undefined =>
  value !== undefined && isJsonObject(schema) ? { value, schema } : undefined
