import { apiVersionOf, type JsonObject, type KubeObject } from '../core/object'
import { compareVersions } from '../encoding/discovery'
import {
  type Definition,
  type DefinitionVersion,
  isConditionTrue,
  storageVersionOf,
} from '../kinds/apiextensions/definition'
import { customStoragePrefix, type Resource, type Subresource, uniform } from '../registry/resource'
import type { ReleaseTables } from '../release-tables/tables'
import { canonicalize } from '../schema/canonical'
import { modelOfCustomSchema } from '../schema/custom'
import { decodeObject } from '../schema/decode'
import { applyDefaults } from '../schema/defaults'
import type { StructType } from '../schema/model'
import { ConvertedVersion, formIn, type VersionForm } from './conversion/versions'
import type { WebhookConverter } from './conversion/webhook-converter'
import { customStrategy } from './custom-strategy'

/** In the order of discovery. */
export const CUSTOM_VERBS = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
]
/** See k8s.io/apiextensions-apiserver, pkg/apiserver/customresource_discovery_controller.go. */
export const TERMINATING_VERBS = ['delete', 'deletecollection', 'get', 'list', 'watch']
export const CUSTOM_SUBRESOURCE_VERBS = ['get', 'patch', 'update']
export const SCALE_KIND = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

export function schemaOf({ spec }: Definition, version: DefinitionVersion): JsonObject {
  const schema = version.schema?.openAPIV3Schema ?? {}
  return spec.preserveUnknownFields === true
    ? { ...schema, 'x-kubernetes-preserve-unknown-fields': true }
    : schema
}

export function resourcesOf(
  definition: Definition,
  converter: WebhookConverter | undefined,
  tables: ReleaseTables,
): Resource[] {
  const versions = new Map<string, Resource>()
  const forms = formsOf(definition)
  for (const version of definition.spec.versions) {
    const apiVersion = apiVersionOf(definition.spec.group, version.name)
    const conversion =
      converter &&
      new ConvertedVersion(apiVersion, forms, converter, encodedAs(definition, version))
    const resource = resourceOf(definition, version, forms, conversion, tables)
    versions.set(version.name, uniform({ ...resource, tables, versions }))
  }
  return definition.spec.versions.flatMap(({ name, served }) =>
    served ? (versions.get(name) ?? []) : [],
  )
}

/** Uses the accepted names. */
function resourceOf(
  definition: Definition,
  version: DefinitionVersion,
  forms: ReadonlyMap<string, VersionForm>,
  conversion: ConvertedVersion | undefined,
  tables: ReleaseTables,
): Omit<Resource, 'tables'> {
  const { group, scope } = definition.spec
  const { plural, singular = '', kind, listKind = `${kind}List` } = definition.status.acceptedNames
  const apiVersion = apiVersionOf(group, version.name)
  const schema = schemaOf(definition, version)
  const lacksKeys = tables.changes.has('KeysOfItemsOptional')
  const type = modelOfCustomSchema(schema, lacksKeys)
  const served = conversion
    ? (object: KubeObject) => conversion.shown(object)
    : shownIn(apiVersion, forms)
  const storage = storageOf(definition, version)
  return {
    group,
    version: version.name,
    resource: plural,
    singular,
    kind,
    apiVersion,
    namespaced: scope === 'Namespaced',
    verbs: CUSTOM_VERBS,
    subresources: new Map(
      subresourcesOf(definition, version).map((subresource) => [subresource.name, subresource]),
    ),
    type,
    storedType:
      conversion && storage ? modelOfCustomSchema(schemaOf(definition, storage), lacksKeys) : type,
    storedIn: `${group}/${version.name}`,
    errorGroup: group,
    strategy: customStrategy({
      version,
      schema,
      served,
      release: tables.release,
      ...(conversion && storage
        ? { stored: () => {}, toStored: converting(conversion, apiVersionOf(group, storage.name)) }
        : { stored: storage ? storedForm(definition, storage) : () => {} }),
    }),
    rules: {},
    prefix: customStoragePrefix(group, plural),
    listKind,
    fromHub: served,
    ...(conversion ? { conversion } : {}),
    custom: true,
    columns: version.additionalPrinterColumns ?? [],
    servedSince: Number(definition.metadata.resourceVersion),
    form: encodedAs(definition, version),
    ...(version.subresources?.scale ? { scale: version.subresources.scale } : {}),
    ...deprecationOf(definition, version),
    ...(isConditionTrue(definition, 'Terminating') ? { terminating: true } : {}),
  }
}

function subresourcesOf(
  { spec }: Definition,
  { name: version, subresources }: DefinitionVersion,
): Subresource[] {
  const own = { group: spec.group, version, kind: spec.names.kind }
  return [
    ...(subresources?.status
      ? [{ name: 'status', verbs: CUSTOM_SUBRESOURCE_VERBS, kind: own }]
      : []),
    ...(subresources?.scale
      ? [{ name: 'scale', verbs: CUSTOM_SUBRESOURCE_VERBS, kind: SCALE_KIND }]
      : []),
  ]
}

function formsOf(definition: Definition): Map<string, VersionForm> {
  const forms = new Map<string, VersionForm>()
  for (const version of definition.spec.versions) {
    const apiVersion = apiVersionOf(definition.spec.group, version.name)
    const type = modelOfCustomSchema(schemaOf(definition, version))
    const complete = (object: KubeObject) => shaped(type, object, apiVersion)
    forms.set(apiVersion, {
      read: onceEach(complete),
      complete,
      pruned: (object) => shaped(type, object, apiVersion, 'without defaults'),
    })
  }
  return forms
}

/** With the stored version's defaults, pruned by this one (recording `crd-cr-defaults-read`). */
function shownIn(
  apiVersion: string,
  forms: ReadonlyMap<string, VersionForm>,
): (object: KubeObject) => KubeObject {
  const own = formIn(forms, apiVersion)
  return onceEach((object) =>
    object.apiVersion === apiVersion
      ? own.complete(object)
      : own.pruned(formIn(forms, object.apiVersion).complete(object)),
  )
}

/** A form is its own form. */
function onceEach(form: (object: KubeObject) => KubeObject): (object: KubeObject) => KubeObject {
  const known = new WeakMap<KubeObject, KubeObject>()
  return (object) => {
    let found = known.get(object)
    if (found === undefined) {
      found = form(object)
      known.set(object, found)
      known.set(found, found)
    }
    return found
  }
}

function shaped(
  type: StructType,
  object: KubeObject,
  apiVersion: string,
  defaults?: 'without defaults',
): KubeObject {
  const draft = decodeObject(type, object as unknown as JsonObject, { stored: true }).object
  draft.apiVersion = apiVersion
  draft.metadata = object.metadata
  if (defaults === undefined) applyDefaults(type, draft)
  return canonicalize(type, draft)
}

const encodedAs = ({ spec, metadata }: Definition, { name }: DefinitionVersion): string =>
  `${apiVersionOf(spec.group, name)} ${metadata.uid} ${metadata.generation}`

/** Unless it is the given one. */
function storageOf(
  definition: Definition,
  version: DefinitionVersion,
): DefinitionVersion | undefined {
  const target = storageVersionOf(definition)
  return target === version.name
    ? undefined
    : definition.spec.versions.find(({ name }) => name === target)
}

function converting(
  conversion: ConvertedVersion,
  storage: string,
): (object: KubeObject) => Promise<void> {
  return async (object) => {
    const { metadata } = object
    const converted = await conversion.stored(withoutAbsent(object), storage)
    for (const name of Object.keys(object)) delete object[name]
    Object.assign(object, converted, { metadata: { ...metadata, ...freeMembers(converted) } })
  }
}

/** A conversion may change or remove these. */
const freeMembers = ({ metadata: { labels, annotations } }: KubeObject) => ({ labels, annotations })

function withoutAbsent(object: KubeObject): KubeObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as KubeObject
}

function storedForm(
  definition: Definition,
  storage: DefinitionVersion,
): (object: KubeObject) => void {
  const apiVersion = apiVersionOf(definition.spec.group, storage.name)
  const type = modelOfCustomSchema(schemaOf(definition, storage))
  return (object) => {
    const { metadata, ...members } = withoutAbsent(object)
    const { object: pruned } = decodeObject(type, members as unknown as JsonObject)
    for (const name of Object.keys(object)) delete object[name]
    Object.assign(object, pruned, { apiVersion, metadata })
  }
}

function deprecationOf({ spec }: Definition, version: DefinitionVersion): { deprecation?: string } {
  if (version.deprecated !== true) return {}
  if (version.deprecationWarning !== undefined) return { deprecation: version.deprecationWarning }
  const { kind } = spec.names
  const name = `${spec.group}/${version.name} ${kind}`
  const instead = replacementOf(spec.versions, version)
  return {
    deprecation: `${name} is deprecated${instead === undefined ? '' : `; use ${spec.group}/${instead} ${kind}`}`,
  }
}

/** Precedes the deprecated version in discovery. */
function replacementOf(
  versions: DefinitionVersion[],
  { name: old }: DefinitionVersion,
): string | undefined {
  return newest(
    versions.filter(
      ({ name, served, deprecated }) =>
        served && deprecated !== true && compareVersions(name, old) < 0,
    ),
  )
}

function newest(versions: DefinitionVersion[]): string | undefined {
  return versions.map(({ name }) => name).sort(compareVersions)[0]
}
