/** One served version of a definition as a resource among the others. */

import { compareVersions } from '../encoding/discovery'
import { apiVersionOf, type JsonObject, type KubeObject } from '../object'
import { type Definition, type DefinitionVersion, isConditionTrue, storageVersionOf } from '../registry/apiextensions/definition'
import { type Resource, type Subresource, uniform } from '../registry/resource'
import { canonicalize } from '../schema/canonical'
import { modelOfCustomSchema } from '../schema/custom'
import { DecodeError, decodeObject } from '../schema/decode'
import { applyDefaults } from '../schema/defaults'
import type { StructType } from '../schema/model'
import { customStrategy } from './custom-strategy'

/** In the order in which discovery lists them. */
export const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
export const CUSTOM_SUBRESOURCE_VERBS = ['get', 'patch', 'update']
export const SCALE_KIND = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

export function schemaOf({ spec }: Definition, version: DefinitionVersion): JsonObject {
  const schema = version.schema?.openAPIV3Schema ?? {}
  return spec.preserveUnknownFields === true ? { ...schema, 'x-kubernetes-preserve-unknown-fields': true } : schema
}

/** The resources that a definition serves, each knowing all versions. */
export function resourcesOf(definition: Definition): Resource[] {
  const versions = new Map<string, Resource>()
  for (const version of definition.spec.versions) versions.set(version.name, uniform({ ...resourceOf(definition, version), versions }))
  return definition.spec.versions.flatMap(({ name, served }) => (served ? (versions.get(name) ?? []) : []))
}

/** The resource that a version of a definition describes. Names are those that were accepted. */
function resourceOf(definition: Definition, version: DefinitionVersion): Resource {
  const { group, scope } = definition.spec
  const { plural, singular = '', kind, listKind = `${kind}List` } = definition.status.acceptedNames
  const apiVersion = apiVersionOf(group, version.name)
  const schema = schemaOf(definition, version)
  const type = modelOfCustomSchema(schema)
  const served = servedForm(type, apiVersion)
  return {
    group,
    version: version.name,
    resource: plural,
    singular,
    kind,
    apiVersion,
    namespaced: scope === 'Namespaced',
    verbs: CUSTOM_VERBS,
    subresources: new Map(subresourcesOf(definition, version).map((subresource) => [subresource.name, subresource])),
    type,
    storedType: type,
    errorGroup: group,
    strategy: customStrategy({ version, schema, served, stored: storedForm(definition, version) }),
    prefix: `/registry/${group}/${plural}/`,
    listKind,
    fromHub: served,
    custom: true,
    columns: version.additionalPrinterColumns ?? [],
    servedSince: Number(definition.metadata.resourceVersion),
    form: `${apiVersion} ${definition.metadata.uid} ${definition.metadata.generation}`,
    ...(version.subresources?.scale ? { scale: version.subresources.scale } : {}),
    ...deprecationOf(definition, version),
    ...(isConditionTrue(definition, 'Terminating') ? { terminating: true } : {}),
  }
}

function subresourcesOf({ spec }: Definition, { name: version, subresources }: DefinitionVersion): Subresource[] {
  const own = { group: spec.group, version, kind: spec.names.kind }
  return [
    ...(subresources?.status ? [{ name: 'status', verbs: CUSTOM_SUBRESOURCE_VERBS, kind: own }] : []),
    ...(subresources?.scale ? [{ name: 'scale', verbs: CUSTOM_SUBRESOURCE_VERBS, kind: SCALE_KIND }] : []),
  ]
}

/**
 * From what is stored, whatever schema it was stored under, to what this version shows: pruned, and with defaults (document 1,
 * "Versions"; recorded: crd-cr-defaults-read). Each stored object is looked at once.
 */
function servedForm(type: StructType, apiVersion: string): (object: KubeObject) => KubeObject {
  const known = new WeakMap<KubeObject, KubeObject>()
  return (object) => {
    let form = known.get(object)
    if (form === undefined) {
      form = shaped(type, object, apiVersion)
      known.set(object, form)
      known.set(form, form)
    }
    return form
  }
}

function shaped(type: StructType, object: KubeObject, apiVersion: string): KubeObject {
  try {
    const draft = decodeObject(type, object as unknown as JsonObject).object
    draft.apiVersion = apiVersion
    draft.metadata = object.metadata
    applyDefaults(type, draft)
    return canonicalize(type, draft)
  } catch (error) {
    // Stored under a schema that asked less of embedded objects: shown as it is.
    if (error instanceof DecodeError) return { ...object, apiVersion }
    throw error
  }
}

/** Brings an object into the version that is stored, in place. */
function storedForm(definition: Definition, version: DefinitionVersion): (object: KubeObject) => void {
  const { group, versions } = definition.spec
  const target = storageVersionOf(definition)
  const storage = versions.find(({ name }) => name === target)
  const apiVersion = apiVersionOf(group, target)
  if (storage === undefined || target === version.name) return () => {}
  const type = modelOfCustomSchema(schemaOf(definition, storage))
  return (object) => {
    const { metadata, ...members } = object
    const present = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
    const { object: pruned } = decodeObject(type, present as JsonObject)
    for (const name of Object.keys(object)) delete object[name]
    Object.assign(object, pruned, { apiVersion, metadata })
  }
}

/** What answers in a deprecated version say: the definition's own words, or which version to use instead. */
function deprecationOf({ spec }: Definition, version: DefinitionVersion): { deprecation?: string } {
  if (version.deprecated !== true) return {}
  if (version.deprecationWarning !== undefined) return { deprecation: version.deprecationWarning }
  const { kind } = spec.names
  const name = `${spec.group}/${version.name} ${kind}`
  const instead = replacementOf(spec.versions, version)
  return { deprecation: `${name} is deprecated${instead === undefined ? '' : `; use ${spec.group}/${instead} ${kind}`}` }
}

function replacementOf(versions: DefinitionVersion[], deprecated: DefinitionVersion): string | undefined {
  return newest(versions.filter(({ name, served, deprecated: old }) => served && old !== true && name !== deprecated.name))
}

/** The version that stands first in discovery. */
function newest(versions: DefinitionVersion[]): string | undefined {
  return versions.map(({ name }) => name).sort(compareVersions)[0]
}
