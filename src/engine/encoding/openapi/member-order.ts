/** The order in which members of a schema stand in OpenAPI documents, whatever the order in which a definition has them (recorded; public). */
import type { JsonObject } from '../../object'

const MEMBERS = [
  ['id', '$ref', '$schema', 'description', 'type', 'nullable', 'format', 'title', 'default'],
  [
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
    'minLength',
    'pattern',
  ],
  [
    'maxItems',
    'minItems',
    'uniqueItems',
    'multipleOf',
    'enum',
    'maxProperties',
    'minProperties',
    'required',
  ],
  [
    'items',
    'allOf',
    'oneOf',
    'anyOf',
    'not',
    'properties',
    'additionalProperties',
    'patternProperties',
  ],
  [
    'dependencies',
    'additionalItems',
    'definitions',
    'discriminator',
    'readOnly',
    'externalDocs',
    'example',
  ],
].flat()

const PLACE = new Map(MEMBERS.map((member, place) => [member, place]))

const placeOf = (member: string): number => PLACE.get(member) ?? MEMBERS.length

/** A schema with its members in order; what is not plain OpenAPI stands behind them by name. Schemas inside it are left alone. */
export function orderedSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)),
  )
}

/** Properties and named schemas stand in order of their names. */
export function byName(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}
