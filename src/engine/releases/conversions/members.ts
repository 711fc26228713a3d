/** Values of an unexpected shape are not changed. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../core/object'

export function objectAt(object: KubeObject | JsonObject, name: string): JsonObject | undefined {
  const value = (object as JsonObject)[name]
  return isJsonObject(value) ? value : undefined
}

export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

export function withObject<T extends KubeObject | JsonObject>(
  object: T,
  name: string,
  change: (member: JsonObject) => JsonObject,
): T {
  const member = objectAt(object, name)
  return member === undefined ? object : { ...object, [name]: change(member) }
}

export function withEach<T extends KubeObject | JsonObject>(
  object: T,
  name: string,
  change: (item: JsonObject) => JsonObject,
): T {
  const list = (object as JsonObject)[name]
  return Array.isArray(list)
    ? { ...object, [name]: list.map((item) => (isJsonObject(item) ? change(item) : item)) }
    : object
}

export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name === from ? to : name, value]),
  )
}

export function withAnnotation(
  object: KubeObject,
  name: string,
  value: string | undefined,
): KubeObject {
  const before = isJsonObject(object.metadata as unknown as Json) ? object.metadata : {}
  const { [name]: old, ...others } = before.annotations ?? {}
  if (old === value) return object
  if (value !== undefined)
    return { ...object, metadata: { ...before, annotations: { ...others, [name]: value } } }
  const { annotations: _, ...metadata } = before
  return {
    ...object,
    metadata: Object.keys(others).length > 0 ? { ...metadata, annotations: others } : metadata,
  }
}
