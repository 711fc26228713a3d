import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { typeText } from './schema-rows'

export type FormField =
  | { kind: 'text'; type: string; placeholder: string }
  | { kind: 'number'; type: string; placeholder: string; whole: boolean }
  | { kind: 'flag'; type: string; placeholder: string }
  | { kind: 'choice'; type: string; values: Json[]; placeholder: string }
  | {
      kind: 'object'
      type: string
      members: { name: string; schema: JsonObject; required: boolean }[]
    }
  | { kind: 'list'; type: string; items: JsonObject }
  | { kind: 'map'; type: string; values: JsonObject }
  /** A type without a form field, edited as JSON. */
  | { kind: 'other'; type: string }

export function formField(schema: JsonObject): FormField {
  const type = typeText(schema)
  const { properties, items, additionalProperties, enum: values } = schema
  const placeholder =
    schema.default === undefined ? '' : `${JSON.stringify(schema.default)} by default`
  if (Array.isArray(values)) return { kind: 'choice', type, values, placeholder }
  if (schema['x-kubernetes-int-or-string'] === true) return { kind: 'other', type }
  switch (schema.type) {
    case 'string':
      return { kind: 'text', type, placeholder }
    case 'integer':
    case 'number':
      return { kind: 'number', type, placeholder, whole: schema.type === 'integer' }
    case 'boolean':
      return { kind: 'flag', type, placeholder }
    case 'array':
      return isJsonObject(items) ? { kind: 'list', type, items } : { kind: 'other', type }
    case 'object':
      if (isJsonObject(properties))
        return { kind: 'object', type, members: membersOf(schema, properties) }
      return isJsonObject(additionalProperties)
        ? { kind: 'map', type, values: additionalProperties }
        : { kind: 'other', type }
    default:
      return { kind: 'other', type }
  }
}

function membersOf({ required }: JsonObject, properties: JsonObject) {
  return Object.entries(properties).flatMap(([name, schema]) =>
    isJsonObject(schema)
      ? [{ name, schema, required: Array.isArray(required) && required.includes(name) }]
      : [],
  )
}

/** undefined removes the member. */
export function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _before, ...rest } = object
  if (value === undefined) return rest
  return Object.hasOwn(object, name) ? { ...object, [name]: value } : { ...rest, [name]: value }
}

export function withItem(list: readonly Json[], index: number, value: Json | undefined): Json[] {
  if (value === undefined) return list.filter((_, at) => at !== index)
  return index >= list.length
    ? [...list, value]
    : list.map((item, at) => (at === index ? value : item))
}

/** @returns the text itself if it is not JSON, so that strings need no quotes */
export function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
