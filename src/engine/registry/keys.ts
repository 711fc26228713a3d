/** Objects that come without a request, as in an imported cluster: where they are stored, and in what form. */
import { DISCOVERY_ALL } from '../facts/discovery'
import { type KubeObject, parseApiVersion } from '../object'
import { builtinModel } from '../schema/builtin'
import { canonicalize } from '../schema/canonical'
import { storagePrefix } from './resource'

/** Where an object of any resource is stored. @param namespace empty for objects of the cluster */
export function resourceKey(group: string, resource: string, namespace: string, name: string): string {
  return storagePrefix(group, resource) + (namespace === '' ? name : `${namespace}/${name}`)
}

/** @throws Error for a kind that is not served */
function builtinResourceKey(object: KubeObject): string {
  const { group, version } = parseApiVersion(object.apiVersion)
  const served = DISCOVERY_ALL.find(({ metadata }) => (metadata.name ?? '') === group)?.versions.find(
    (candidate) => candidate.version === version,
  )
  const resource = served?.resources.find(({ responseKind, verbs }) => responseKind.kind === object.kind && verbs.includes('create'))
  if (resource === undefined) throw new Error(`${object.apiVersion} ${object.kind} is not served here`)
  const { name = '', namespace = '' } = object.metadata
  if (name === '') throw new Error(`a ${object.kind} has no name`)
  return resourceKey(group, resource.resource, resource.scope === 'Namespaced' ? namespace : '', name)
}

/** An object as the store keeps it, uid and times included. Its values are not checked. @throws Error for a kind that is not served */
export function storable(object: KubeObject): { key: string; object: KubeObject } {
  const key = builtinResourceKey(object)
  const { group, version } = parseApiVersion(object.apiVersion)
  const type = builtinModel().byKind(group, version, object.kind)
  if (type === undefined) throw new Error(`${object.apiVersion} ${object.kind} is not served here`)
  const draft = { ...object, metadata: { ...object.metadata, resourceVersion: '0' } }
  return { key, object: canonicalize(type, draft, 'stored') }
}
