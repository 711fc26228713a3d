/**
 * Order and messages recorded from kube-apiserver 1.31 (recordings `crd-cr-values`,
 * `crd-cr-shape`).
 */

import { isJsonObject, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { embeddedObjectErrors } from './embedded'
import { listErrors } from './lists'
import { actualScaleErrors, type ScalePaths, wantedScaleErrors } from './scale'
import { schemaErrors } from './schema'

export interface CustomRules {
  schema: JsonObject
  scale: ScalePaths | undefined
  /** Formats of names are validated. */
  nameFormats: boolean
  /** Numbers must be in the range of their type and format. */
  checksRanges: boolean
}

/**
 * @param old its unchanged values are not validated again
 * @param ratchets false: exempts only lists that were invalid before (feature gate
 * `CRDValidationRatcheting`)
 */
export function validateCustomObject(
  { schema, scale, checksRanges, nameFormats }: CustomRules,
  object: JsonObject,
  old?: JsonObject,
  ratchets = true,
): FieldError[] {
  return [
    ...schemaErrors(schema, object, { checksRanges, nameFormats, ...(ratchets ? { old } : {}) }),
    ...wantedScaleErrors(object, scale),
    ...actualScaleErrors(object, scale),
    ...embeddedObjectErrors(schema, object),
    ...(old !== undefined && listErrors(schema, old).length > 0 ? [] : listErrors(schema, object)),
  ]
}

/**
 * Validates only the status, changed or not, without embedded objects. Recorded from kube-apiserver
 * 1.31.
 */
export function validateCustomStatus(
  { schema, scale, checksRanges, nameFormats }: CustomRules,
  object: JsonObject,
  old: JsonObject,
): FieldError[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const { status } = properties
  return [
    ...(isJsonObject(status) && object.status !== undefined
      ? schemaErrors(status, object.status, { below: 'status', checksRanges, nameFormats })
      : []),
    ...actualScaleErrors(object, scale),
    ...(listErrors(schema, old).length > 0 ? [] : listErrors(schema, object)),
  ]
}
