/** The order of members in OpenAPI documents. See k8s.io/kube-openapi, pkg/validation/spec. */
import type { JsonObject } from '../../core/object'

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

/** Extensions follow by name. Nested schemas are not changed. */
export function orderedSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)),
  )
}

export function byName(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}
