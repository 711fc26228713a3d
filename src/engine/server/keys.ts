/** Computes the storage keys of the objects of an imported cluster. */
import { type KubeObject, parseApiVersion } from '../core/object'
import { customStoragePrefix, storagePrefix } from '../registry/resource'
import { baseTables } from '../release-tables/base-tables'
import type { ReleaseTables } from '../release-tables/tables'
import { modelOf } from '../schema/builtin'
import { canonicalize } from '../schema/canonical'

export function resourceKey(
  group: string,
  resource: string,
  namespace: string,
  name: string,
): string {
  return storagePrefix(group, resource) + (namespace === '' ? name : `${namespace}/${name}`)
}

function builtinResourceKey(object: KubeObject, tables: ReleaseTables): string {
  const { group, version } = parseApiVersion(object.apiVersion)
  const served = tables
    .table('discoveryAll')
    .find(({ metadata }) => (metadata.name ?? '') === group)
    ?.versions.find((candidate) => candidate.version === version)
  const resource = served?.resources.find(
    ({ responseKind, verbs }) => responseKind.kind === object.kind && verbs.includes('create'),
  )
  if (resource === undefined)
    throw new Error(`${object.apiVersion} ${object.kind} is not served here`)
  const { name = '', namespace = '' } = object.metadata
  if (name === '') throw new Error(`a ${object.kind} has no name`)
  return resourceKey(
    group,
    resource.resource,
    resource.scope === 'Namespaced' ? namespace : '',
    name,
  )
}

interface Definition extends KubeObject {
  spec: { group: string; scope: string; names: { kind: string; plural: string } }
}

const isDefinition = (object: KubeObject): object is Definition => {
  const { group, names } = (object.spec ?? {}) as Partial<Definition['spec']>
  return (
    object.kind === 'CustomResourceDefinition' &&
    typeof group === 'string' &&
    typeof names?.plural === 'string'
  )
}

/**
 * With uids and times, unvalidated. Definitions among the objects name custom resources.
 * @throws Error for an unknown kind
 */
export function storables(
  objects: readonly KubeObject[],
  tables: ReleaseTables = baseTables(),
): { key: string; object: KubeObject }[] {
  const definitions = objects.filter(isDefinition)
  return objects.map((object) => {
    const { group } = parseApiVersion(object.apiVersion)
    const definition = definitions.find(
      ({ spec }) => spec.group === group && spec.names.kind === object.kind,
    )
    if (definition === undefined) return storable(object, tables)
    const { plural } = definition.spec.names
    const { name = '', namespace = '' } = object.metadata
    const place = definition.spec.scope === 'Namespaced' ? `${namespace}/${name}` : name
    return {
      key: customStoragePrefix(group, plural) + place,
      object: { ...object, metadata: { ...object.metadata, resourceVersion: '0' } },
    }
  })
}

/** @throws Error if not built in */
export function storable(
  object: KubeObject,
  tables: ReleaseTables = baseTables(),
): { key: string; object: KubeObject } {
  const key = builtinResourceKey(object, tables)
  const { group, version } = parseApiVersion(object.apiVersion)
  const type = modelOf(tables).byKind(group, version, object.kind)
  if (type === undefined) throw new Error(`${object.apiVersion} ${object.kind} is not served here`)
  const draft = { ...object, metadata: { ...object.metadata, resourceVersion: '0' } }
  return { key, object: canonicalize(type, draft, 'stored') }
}
