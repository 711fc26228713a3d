/**
 * Types of custom resources, from the OpenAPI document of the version, which every user can read.
 */
import { isJsonObject, type JsonObject, parseApiVersion } from '../../../engine/core/object'
import { modelOfCustomSchema } from '../../../engine/schema/custom'
import type { StructType } from '../../../engine/schema/model'

export function openApiPath(apiVersion: string): string {
  const { group, version } = parseApiVersion(apiVersion)
  return `/openapi/v3/${group === '' ? 'api' : `apis/${group}`}/${version}`
}

/** @returns undefined if the document lacks the kind */
export function customTypeIn(
  document: JsonObject,
  apiVersion: string,
  kind: string,
): StructType | undefined {
  const { group, version } = parseApiVersion(apiVersion)
  const components = isJsonObject(document.components) ? document.components : {}
  const schemas = isJsonObject(components.schemas) ? Object.values(components.schemas) : []
  const isOfKind = (schema: JsonObject): boolean => {
    const kinds = schema['x-kubernetes-group-version-kind']
    return (
      Array.isArray(kinds) &&
      kinds.some(
        (of) =>
          isJsonObject(of) && of.group === group && of.version === version && of.kind === kind,
      )
    )
  }
  const schema = schemas.find(
    (candidate): candidate is JsonObject => isJsonObject(candidate) && isOfKind(candidate),
  )
  return schema && modelOfCustomSchema(schema)
}
