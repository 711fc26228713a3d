/** Feature gate `OpenAPIEnums` off. Compared with kube-apiserver 1.31. */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { VALUES_FOLLOW } from './schemas'

export function withoutValues(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]))
}

const BY_NAME = ['properties']
const BELOW = ['items', 'additionalProperties', 'allOf', 'oneOf', 'anyOf']

function plain(schema: Json | undefined): Json {
  if (Array.isArray(schema)) return schema.map(plain)
  if (!isJsonObject(schema)) return schema ?? null
  const members = Object.entries(schema).flatMap(([name, value]): [string, Json | undefined][] => {
    if (name === 'enum') return []
    if (BY_NAME.includes(name) && isJsonObject(value)) return [[name, withoutValues(value)]]
    if (BELOW.includes(name)) return [[name, plain(value)]]
    if (name !== 'description' || typeof value !== 'string') return [[name, value]]
    const text = textOf(value)
    return text === '' ? [] : [[name, text]]
  })
  return Object.fromEntries(members) as JsonObject
}

function textOf(description: string): string {
  const end = description.indexOf(VALUES_FOLLOW)
  return end < 0 ? description : description.slice(0, end).trim()
}
