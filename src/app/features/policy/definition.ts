import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'

export interface DesignedVersion {
  name: string
  path: string
  schema: JsonObject
}

export interface Design {
  name: string
  group: string
  kind: string
  plural: string
  namespaced: boolean
  versions: DesignedVersion[]
}

/** @returns undefined until the document names a resource and has a schema */
export function designIn(document: JsonObject): Design | undefined {
  const spec = objectIn(document, 'spec')
  const names = objectIn(spec, 'names')
  const { group, scope, versions } = spec
  const { plural, kind } = names
  if (
    typeof group !== 'string' ||
    typeof plural !== 'string' ||
    typeof kind !== 'string' ||
    !Array.isArray(versions)
  )
    return undefined
  const { name } = objectIn(document, 'metadata')
  const designed = versions.flatMap((version, index) => designedVersion(version, index))
  if (designed.length === 0) return undefined
  return {
    name: typeof name === 'string' ? name : `${plural}.${group}`,
    group,
    kind,
    plural,
    namespaced: scope !== 'Cluster',
    versions: designed,
  }
}

function designedVersion(version: Json, index: number): DesignedVersion[] {
  if (!isJsonObject(version) || typeof version.name !== 'string' || version.served === false)
    return []
  const { openAPIV3Schema: schema } = objectIn(version, 'schema')
  return isJsonObject(schema)
    ? [{ name: version.name, path: `spec.versions[${index}].schema.openAPIV3Schema`, schema }]
    : []
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const member = object[name]
  return isJsonObject(member) ? member : {}
}

/** For a single version, the server's error paths start with `spec.validation`. */
export function pathInDefinition(field: string, { versions }: Design): string {
  const [first] = versions
  if (first === undefined) return field
  return field.replace(/^spec\.validation\.openAPIV3Schema/, first.path)
}

export function objectsPath(
  { group, plural, namespaced }: Design,
  version: string,
  namespace: string,
): string {
  return `/apis/${group}/${version}/${namespaced ? `namespaces/${namespace}/` : ''}${plural}`
}
