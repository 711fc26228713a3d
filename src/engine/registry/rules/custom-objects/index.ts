/** What a custom resource must keep to (order and messages recorded: crd-cr-values, crd-cr-shape). */
import type { FieldError } from '../../../http/status'
import { isJsonObject, type JsonObject } from '../../../object'
import { embeddedObjectErrors } from './embedded'
import { listErrors } from './lists'
import { actualScaleErrors, type ScalePaths, wantedScaleErrors } from './scale'
import { schemaErrors } from './schema'

export interface CustomRules {
  /** The structural schema. */
  schema: JsonObject
  /** Where the object keeps what `scale` shows; undefined: it has none. */
  scale: ScalePaths | undefined
}

/**
 * Checks an object against its schema, its embedded objects, and its lists that are sets or maps.
 * @param old the object before: what has not changed is not judged again
 * @param ratchets false: of that only lists that were wrong already (feature gate `CRDValidationRatcheting`)
 */
export function validateCustomObject(
  { schema, scale }: CustomRules,
  object: JsonObject,
  old?: JsonObject,
  ratchets = true,
): FieldError[] {
  return [
    ...schemaErrors(schema, object, ratchets ? { old } : {}),
    ...wantedScaleErrors(object, scale),
    ...actualScaleErrors(object, scale),
    ...embeddedObjectErrors(schema, object),
    ...(old !== undefined && listErrors(schema, old).length > 0 ? [] : listErrors(schema, object)),
  ]
}

/**
 * The same for a write to `status`, of which the schema judges only the status, whether or not it has changed (recorded); embedded
 * objects are not asked (public sources of the release).
 */
export function validateCustomStatus(
  { schema, scale }: CustomRules,
  object: JsonObject,
  old: JsonObject,
): FieldError[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const { status } = properties
  return [
    ...(isJsonObject(status) && object.status !== undefined
      ? schemaErrors(status, object.status, { below: 'status' })
      : []),
    ...actualScaleErrors(object, scale),
    ...(listErrors(schema, old).length > 0 ? [] : listErrors(schema, object)),
  ]
}
