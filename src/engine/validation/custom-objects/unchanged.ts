/**
 * Whether a value of a custom resource is unchanged, so that it need not be validated again. See
 * kubernetes.io, "Validation ratcheting". The comparison follows the schema. A value with a member
 * outside the schema never counts as unchanged. Neither does the whole object, whose metadata no
 * schema describes completely.
 */
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../core/object'

/** For the root object these two always count as changed. Recorded from kube-apiserver 1.31. */
export const NEVER_UNCHANGED: readonly string[] = ['apiVersion', 'kind']

/** @param schema of the value, without combinations @param old the old value */
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

/** Items of map lists are correlated by key; other lists are compared as a whole. */
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

/** The schema of a member: the property's, or that of additional properties. */
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

/** @returns a lookup of the old item, for lists of type map */
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

/**
 * The old value, and the schema to compare it with; alternatives have no structure of their own.
 */
export interface Former {
  value: Json
  schema: JsonObject
}

export const formerOf = (value: Json | undefined, schema: Json | undefined): Former | undefined =>
  value !== undefined && isJsonObject(schema) ? { value, schema } : undefined
