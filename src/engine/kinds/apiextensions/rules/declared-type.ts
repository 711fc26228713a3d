/** Types and maximum sizes, for cost estimates (k8s.io/apiserver, cel/common/schemas.go). */

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
import { largest } from '../../../core/lists'
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../../core/object'
import { escapeName } from '../../../validation/custom-objects/property-names'

export interface DeclaredType extends SizedType {
  type: Type
  /** JSON bytes. */
  minSize: number
  element?: DeclaredType | undefined
  key?: DeclaredType | undefined
  fields?: ReadonlyMap<string, DeclaredType> | undefined
}

/** Limit of a request, and so of any value. */
export const MAX_REQUEST_BYTES = 3_145_728
const QUOTES = 2

/**
 * JSON bytes (k8s.io/apiserver, cel/limits.go). `"0"` is a duration. The longest time is assumed to
 * be in UTC.
 */
const FORMATS: Readonly<Record<string, { type: Type; min: number; max?: number }>> = {
  byte: { type: BYTES, min: QUOTES },
  duration: { type: DURATION, min: 3, max: 32 },
  date: { type: TIMESTAMP, min: 12, max: 12 },
  'date-time': { type: TIMESTAMP, min: 21, max: 32 },
}

const KEY: DeclaredType = { type: STRING, minSize: QUOTES, maxElements: 0 }

const META: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
}

/** Adds metadata if the schema lacks it. */
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

/** kube-apiserver has a random number here. */
const SELF = 'selfType1'

/**
 * @param name structures are named after their path
 * @returns undefined for schemas without a CEL type
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
  // A key takes two quotes, colon, comma and one character or more.
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
  // A character takes up to four bytes.
  if (given !== undefined) return { type, minSize: min, maxElements: given * 4 }
  return { type, minSize: min, maxElements: longestOf(schema.enum) ?? longest }
}

function longestOf(values: Json | undefined): number | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined
  return largest(
    values.map((value) => (typeof value === 'string' ? new TextEncoder().encode(value).length : 0)),
  )
}
