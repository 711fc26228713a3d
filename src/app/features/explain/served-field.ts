import { entryOf, isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'

export interface FieldAddress {
  apiVersion: string
  kind: string
  /** Names from the object's root; `[]` is a list item. */
  path: readonly string[]
  /** The value of the field, if it is a single word. */
  value?: string
}

export interface ServedField {
  description: string
  /** `[]Container`, `int32`, `map of string` */
  type: string
  notes: string[]
}

/** @param document OpenAPI v3 of the kind's version */
export function servedField(
  document: JsonObject,
  { apiVersion, kind, path }: FieldAddress,
): ServedField | undefined {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas')
  let holder = Object.values(schemas).find(
    (schema): schema is JsonObject => isJsonObject(schema) && isOfKind(schema, apiVersion, kind),
  )
  let field: JsonObject | undefined
  let required = false
  for (const name of path) {
    if (holder === undefined) return undefined
    const properties = objectAt(holder, 'properties')
    const next: Json | undefined =
      name === '[]' ? holder.items : (properties[name] ?? holder.additionalProperties)
    if (!isJsonObject(next)) return undefined
    required = Array.isArray(holder.required) && holder.required.includes(name)
    // An item is described by its list.
    field =
      name === '[]' ? { ...next, description: next.description ?? field?.description ?? '' } : next
    holder = resolved(next, schemas)
  }
  if (field === undefined || holder === undefined) return undefined
  const description = field.description ?? holder.description
  return {
    description: typeof description === 'string' ? description : '',
    type: typeText(field, schemas),
    notes: notesOf(field, holder, required),
  }
}

function isOfKind(schema: JsonObject, apiVersion: string, kind: string): boolean {
  const kinds = schema['x-kubernetes-group-version-kind']
  const isIt = (of: Json) =>
    isJsonObject(of) &&
    of.kind === kind &&
    (of.group ? `${of.group}/${of.version}` : of.version) === apiVersion
  return Array.isArray(kinds) && kinds.some(isIt)
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const member = entryOf(object, name)
  return isJsonObject(member) ? member : {}
}

function referenceOf(schema: JsonObject): string | undefined {
  const [only] = Array.isArray(schema.allOf) ? schema.allOf : [schema]
  return isJsonObject(only) && typeof only.$ref === 'string'
    ? only.$ref.replace('#/components/schemas/', '')
    : undefined
}

function resolved(schema: JsonObject, schemas: JsonObject): JsonObject {
  const name = referenceOf(schema)
  const target = name === undefined ? undefined : entryOf(schemas, name)
  return isJsonObject(target) ? target : schema
}

function typeText(schema: JsonObject, schemas: JsonObject): string {
  const name = referenceOf(schema)
  if (name !== undefined) {
    const target = resolved(schema, schemas)
    return isJsonObject(target.properties) || target.type === 'object'
      ? (name.split('.').at(-1) ?? name)
      : typeText(target, {})
  }
  if (isJsonObject(schema.items)) return `[]${typeText(schema.items, schemas)}`
  if (isJsonObject(schema.additionalProperties))
    return `map of ${typeText(schema.additionalProperties, schemas)}`
  if (typeof schema.format === 'string') return schema.format
  return typeof schema.type === 'string' ? schema.type : 'any value'
}

function notesOf(field: JsonObject, target: JsonObject, required: boolean): string[] {
  const standing = field.default ?? target.default
  const values = field.enum ?? target.enum
  const list = field['x-kubernetes-list-type']
  const keys = field['x-kubernetes-list-map-keys']
  const atomic =
    list === 'atomic' ||
    (field['x-kubernetes-map-type'] ?? target['x-kubernetes-map-type']) === 'atomic'
  return [
    ...(required ? ['required'] : []),
    ...(standing === undefined || isEmpty(standing) ? [] : [`default ${JSON.stringify(standing)}`]),
    ...(Array.isArray(values) ? [`one of ${values.join(', ')}`] : []),
    ...(list === 'map' && Array.isArray(keys)
      ? [`items are identified by ${keys.join(', ')}`]
      : []),
    ...(list === 'set' ? ['each value once'] : []),
    ...(atomic ? ['atomic'] : []),
  ]
}

/** The document has empty defaults without meaning. */
const isEmpty = (value: Json): boolean =>
  value === '' || value === 0 || (isJsonObject(value) && Object.keys(value).length === 0)
