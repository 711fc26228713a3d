/**
 * What a schema declares to rules: the type of its values (document 3, "Expression language" 5), and how large they may be, by
 * which the cost of a rule is reckoned before it is taken.
 */

import type { SizedType } from '../../../cel/cost/estimator'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  object,
  STRING,
  TIMESTAMP,
  type Type,
} from '../../../cel/types/type'
import { largest } from '../../../lists'
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../../object'
import { escapeName } from '../../rules/custom-objects/property-names'

export interface DeclaredType extends SizedType {
  type: Type
  /** Bytes that the shortest value takes as JSON. */
  minSize: number
  element?: DeclaredType | undefined
  key?: DeclaredType | undefined
  fields?: ReadonlyMap<string, DeclaredType> | undefined
}

/** A request is no larger than this, and so is nothing in it. */
export const MAX_REQUEST_BYTES = 3_145_728
const QUOTES = 2

/**
 * Of texts with a format: bytes as JSON of the shortest and the longest, as the real server takes them (its public sources): `"0"` is
 * a duration, and a time the longest of which it thinks is in UTC.
 */
const FORMATS: Readonly<Record<string, { type: Type; min: number; max?: number }>> = {
  byte: { type: BYTES, min: QUOTES },
  duration: { type: DURATION, min: 3, max: 32 },
  date: { type: TIMESTAMP, min: 12, max: 12 },
  'date-time': { type: TIMESTAMP, min: 21, max: 32 },
}

const KEY: DeclaredType = { type: STRING, minSize: QUOTES, maxElements: 0 }

/** What every object of the API has for rules to see (document 3, "Expression language" 2). */
const META: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
}

/** A schema with what rules see of an object of the API although no schema says it. */
export function withObjectMeta(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const { metadata } = properties
  const named =
    isJsonObject(metadata) && isJsonObject(metadata.properties) ? metadata.properties : {}
  return {
    ...schema,
    properties: {
      ...properties,
      kind: { type: 'string' },
      apiVersion: { type: 'string' },
      metadata: { ...META, properties: { ...(META.properties as JsonObject), ...named } },
    },
  }
}

/** What structures are named by: the value itself, with a number that the real server draws anew each time. */
const SELF = 'selfType1'

/**
 * @param name of the type: structures are named by the way to them (recorded)
 * @returns undefined for a schema whose values rules cannot see
 */
export function declaredType(
  given: JsonObject,
  isResource = given['x-kubernetes-embedded-resource'] === true,
  name = SELF,
): DeclaredType | undefined {
  if (given['x-kubernetes-int-or-string'] === true)
    return { type: DYN, minSize: 1, maxElements: MAX_REQUEST_BYTES - QUOTES }
  const schema = isResource ? withObjectMeta(given) : given
  switch (schema.type) {
    case 'array':
      return declaredList(schema, name)
    case 'object':
      return isJsonObject(schema.additionalProperties)
        ? declaredMap(schema, schema.additionalProperties, name)
        : declaredObject(schema, name)
    case 'string':
      return declaredText(schema)
    case 'boolean':
      return { type: BOOL, minSize: 4, maxElements: 0 }
    case 'number':
      return { type: DOUBLE, minSize: 1, maxElements: 0 }
    case 'integer':
      return { type: INT, minSize: 1, maxElements: 0 }
    default:
      return undefined
  }
}

const limit = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? Math.max(value, 0) : undefined

function declaredList(schema: JsonObject, name: string): DeclaredType | undefined {
  const element = isJsonObject(schema.items)
    ? declaredType(schema.items, undefined, `${name}.@idx`)
    : undefined
  if (element === undefined) return undefined
  const most = Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 1))
  return {
    type: listOf(element.type),
    minSize: 2,
    maxElements: limit(schema.maxItems) ?? most,
    element,
  }
}

function declaredMap(
  schema: JsonObject,
  values: JsonObject,
  name: string,
): DeclaredType | undefined {
  const element = declaredType(values, undefined, `${name}.@elem`)
  if (element === undefined) return undefined
  // A key takes two quotes, a colon and a comma, and has one character at least.
  const most = Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 6))
  return {
    type: mapOf(STRING, element.type),
    minSize: 2,
    maxElements: limit(schema.maxProperties) ?? most,
    element,
    key: KEY,
  }
}

function declaredObject(schema: JsonObject, typeName: string): DeclaredType {
  const fields = new Map<string, DeclaredType>()
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  let minSize = 2
  for (const [name, property] of Object.entries(
    isJsonObject(schema.properties) ? schema.properties : {},
  )) {
    const field = isJsonObject(property)
      ? declaredType(property, undefined, `${typeName}.${name}`)
      : undefined
    if (field === undefined) continue
    const escaped = escapeName(name)
    if (escaped !== undefined) fields.set(escaped, field)
    if (required.has(name) && (property as JsonObject).default === undefined)
      minSize += name.length + field.minSize + 4
  }
  const types = new Map(Array.from(fields, ([name, { type }]) => [name, type]))
  return { type: object(typeName, types), minSize, maxElements: 0, fields }
}

function declaredText(schema: JsonObject): DeclaredType {
  const { type, min, max } = (typeof schema.format === 'string'
    ? entryOf(FORMATS, schema.format)
    : undefined) ?? {
    type: STRING,
    min: QUOTES,
  }
  const given = limit(schema.maxLength)
  const longest = max ?? MAX_REQUEST_BYTES - QUOTES
  if (type === BYTES) return { type, minSize: min, maxElements: given ?? longest }
  if (type !== STRING) return { type, minSize: min, maxElements: longest }
  // A character is four bytes at most.
  if (given !== undefined) return { type, minSize: min, maxElements: given * 4 }
  return { type, minSize: min, maxElements: longestOf(schema.enum) ?? longest }
}

function longestOf(values: Json | undefined): number | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined
  return largest(
    values.map((value) => (typeof value === 'string' ? new TextEncoder().encode(value).length : 0)),
  )
}
