/** What a custom resource must keep to (order and messages recorded: crd-cr-values, crd-cr-shape). */
import type { FieldError } from '../../../http/status'
import { isJsonObject, type JsonObject } from '../../../object'
import { embeddedObjectErrors } from './embedded'
import { listErrors } from './lists'
import { replicasErrors } from './scale'
import { schemaErrors } from './schema'

export interface CustomRules {
  /** The structural schema. */
  schema: JsonObject
  /** Paths of numbers that `scale` shows. */
  replicas: readonly string[]
}

/**
 * Checks an object against its schema, its embedded objects, and its lists that are sets or maps.
 * @param old the object before: what has not changed is not judged again
 */
export function validateCustomObject({ schema, replicas }: CustomRules, object: JsonObject, old?: JsonObject): FieldError[] {
  return [
    ...schemaErrors(schema, object, { old }),
    ...replicasErrors(object, replicas),
    ...embeddedObjectErrors(schema, object),
    ...(old !== undefined && listErrors(schema, old).length > 0 ? [] : listErrors(schema, object)),
  ]
}

/** The same for a write to `status`, of which the schema judges only the status. */
export function validateCustomStatus({ schema, replicas }: CustomRules, object: JsonObject, old: JsonObject): FieldError[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const { status } = properties
  return [
    ...(isJsonObject(status) && object.status !== undefined
      ? schemaErrors(status, object.status, { old: old.status, below: 'status' })
      : []),
    ...replicasErrors(object, replicas),
    ...embeddedObjectErrors(schema, object),
    ...(listErrors(schema, old).length > 0 ? [] : listErrors(schema, object)),
  ]
}
