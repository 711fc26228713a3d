/** A minimal object for a schema: required members without defaults. */
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import type { Design } from './definition'

/** Members of every object. */
const OF_EVERY_OBJECT = ['apiVersion', 'kind', 'metadata', 'status']
const MOST_DEPTH = 5

export function sampleOf(
  { group, kind, namespaced }: Design,
  version: string,
  schema: JsonObject,
): JsonObject {
  const members = Object.entries(propertiesOf(schema)).flatMap(([name, member]) =>
    OF_EVERY_OBJECT.includes(name) ? [] : memberSample(name, member, schema, 1),
  )
  const metadata = { name: 'sample', ...(namespaced ? { namespace: 'default' } : {}) }
  return { apiVersion: `${group}/${version}`, kind, metadata, ...Object.fromEntries(members) }
}

function memberSample(
  name: string,
  schema: Json,
  owner: JsonObject,
  depth: number,
): [string, Json][] {
  if (!isJsonObject(schema)) return []
  const required = Array.isArray(owner.required) && owner.required.includes(name)
  if (!required && (schema.default !== undefined || depth > MOST_DEPTH)) return []
  return [[name, sampleValue(schema, depth + 1)]]
}

export function sampleValue(schema: JsonObject, depth = 0): Json {
  const { default: usual, enum: values, type } = schema
  if (usual !== undefined) return usual
  if (Array.isArray(values) && values[0] !== undefined) return values[0]
  if (schema['x-kubernetes-int-or-string'] === true) return 1
  switch (type) {
    case 'object':
      return objectSample(schema, depth)
    case 'array':
      return isJsonObject(schema.items) && depth <= MOST_DEPTH
        ? [sampleValue(schema.items, depth + 1)]
        : []
    case 'string':
      return textSample(schema)
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number'
        ? schema.minimum
        : typeof schema.maximum === 'number'
          ? Math.min(1, schema.maximum)
          : 1
    default:
      return {}
  }
}

function objectSample(schema: JsonObject, depth: number): JsonObject {
  const members = Object.entries(propertiesOf(schema)).flatMap(([name, member]) =>
    memberSample(name, member, schema, depth),
  )
  if (members.length === 0 && isJsonObject(schema.additionalProperties) && depth <= MOST_DEPTH)
    return { key: sampleValue(schema.additionalProperties, depth + 1) }
  return Object.fromEntries(members)
}

const FORMATS: Record<string, string> = {
  'date-time': '2024-01-31T12:00:00Z',
  date: '2024-01-31',
  duration: '30s',
  byte: 'dGV4dA==',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  cidr: '192.0.2.0/24',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  uri: 'https://example.com/',
  email: 'user@example.com',
  hostname: 'example.com',
}

function textSample({ format, minLength, maxLength }: JsonObject): string {
  const text = (typeof format === 'string' ? entryOf(FORMATS, format) : undefined) ?? 'text'
  const long = typeof minLength === 'number' ? text.padEnd(minLength, 'x') : text
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long
}

const propertiesOf = ({ properties }: JsonObject): JsonObject =>
  isJsonObject(properties) ? properties : {}
