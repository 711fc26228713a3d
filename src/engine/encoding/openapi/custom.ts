/** OpenAPI documents of custom resources. Recorded from kube-apiserver 1.31. */

import { API_DOMAIN } from '../../core/names'
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { Operation } from '../../generated/operations'
import type { ReleaseTables } from '../../release-tables/tables'
import type { TypeModel } from '../../schema/model'
import { registeredVersions } from '../../schema/registered-versions'
import { textHash } from '../sha256'
import { type Paths, renderPaths, renderSchemas, schemasIn, type Words } from './documents'
import { byName, orderedSchema } from './member-order'
import { type ApiOperation, groupTag, resourceOperation } from './operations'
import { UNSAFE_DELETION } from './parameters'
import { hasDeleteOption, hasShards } from './release-model'
import type { Dialect } from './schemas'

export interface CustomResource {
  group: string
  version: string
  plural: string
  kind: string
  listKind: string
  namespaced: boolean
  schema: JsonObject
  hasStatus: boolean
  hasScale: boolean
  selectableFields?: JsonObject[]
  unselectable?: true
}

/** Feature gate `CustomResourceFieldSelectors` is off. Compared with kube-apiserver 1.31. */
export const notSelectable = ({
  selectableFields: _,
  ...resource
}: CustomResource): CustomResource => ({ ...resource, unselectable: true })

export const selectableIfAny = (resource: CustomResource): CustomResource =>
  resource.selectableFields?.length ? resource : notSelectable(resource)

const SCALE = 'io.k8s.api.autoscaling.v1.Scale'
const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'
const CONVENTIONS =
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

const reference = (name: string, dialect: Dialect): JsonObject => ({
  $ref: `#/${dialect === 'v2' ? 'definitions' : 'components/schemas'}/${name}`,
})

export function customHash(resources: CustomResource[]): string {
  return textHash(JSON.stringify(resources))
}

/** @param resources all of a group version */
export function openapiV3OfCustom(
  resources: CustomResource[],
  words: Words,
  model: TypeModel,
  tables: ReleaseTables,
): JsonObject {
  const paths = customPaths(resources, model)
  const own = Object.fromEntries(resources.flatMap((resource) => schemasOf(resource, 'v3')))
  const named = [...schemasIn(paths), OBJECT_META, LIST_META].flatMap(
    (name) => model.byName(name) ?? [],
  )
  const common = Object.entries(renderSchemas(named, 'v3', words)).map(([name, schema]) => [
    name,
    withKinds(name, schema as JsonObject, tables),
  ])
  const schemas: JsonObject = { ...own, ...Object.fromEntries(common) }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths: renderPaths(paths, 'v3', words),
    components: { schemas: byName(schemas) },
  }
}

export const customPaths = (resources: CustomResource[], model: TypeModel): Paths =>
  new Map(resources.flatMap((resource) => pathsOf(resource, model)))

/** For OpenAPI 2.0: without combinations and defaults, and open for values of several types. */
export function customDefinitions(resources: CustomResource[]): JsonObject {
  return Object.fromEntries(resources.flatMap((resource) => schemasOf(resource, 'v2')))
}

/** Types of these groups lack x-kubernetes-group-version-kind in documents of custom resources. */
const FOREIGN_GROUPS = new Set(
  ['admission', 'apiextensions', 'apiregistration', 'imagepolicy'].map(
    (name) => `${name}.${API_DOMAIN}`,
  ),
)

const KINDS = 'x-kubernetes-group-version-kind'

/**
 * Documents of custom resources name the options of a deletion in every version. Since Kubernetes
 * 1.36, those of built-in groups name their own version only.
 */
function withKinds(name: string, schema: JsonObject, tables: ReleaseTables): JsonObject {
  const kinds = schema[KINDS]
  if (!Array.isArray(kinds)) return schema
  if (name.endsWith('.DeleteOptions') && tables.table('commonVersions').DeleteOptions === undefined)
    return {
      ...schema,
      [KINDS]: registeredVersions(tables).map(({ group, version }) => ({
        group,
        kind: 'DeleteOptions',
        version,
      })),
    }
  return {
    ...schema,
    [KINDS]: kinds.filter((kind) => !FOREIGN_GROUPS.has((kind as { group: string }).group)),
  }
}

/** `com.example.stable.v1.CronTab` */
function nameOf({ group, version }: CustomResource, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function pathsOf(
  resource: CustomResource,
  model: TypeModel,
): [string, Map<string, ApiOperation>][] {
  const { group, version, plural, kind, namespaced } = resource
  const root = `/apis/${group}/${version}`
  const collection = `${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`
  const scope = capital(groupTag(group)) + capital(version)
  const ofAll = capital(kind)
  const subject = namespaced ? `Namespaced${kind}` : ofAll
  const at = (
    path: string,
    ids: Record<string, [action: string, id: string]>,
    schema = nameOf(resource, kind),
  ) => [path, operations(resource, path, ids, schema, model)] as [string, Map<string, ApiOperation>]
  const subresource = (name: string, schema?: string) =>
    at(
      `${collection}/{name}/${name}`,
      {
        get: ['get', `read${scope}${subject}${capital(name)}`],
        put: ['put', `replace${scope}${subject}${capital(name)}`],
        patch: ['patch', `patch${scope}${subject}${capital(name)}`],
      },
      schema,
    )
  return [
    ...(namespaced
      ? [at(`${root}/${plural}`, { get: ['list', `list${scope}${ofAll}ForAllNamespaces`] })]
      : []),
    at(collection, {
      get: ['list', `list${scope}${subject}`],
      post: ['post', `create${scope}${subject}`],
      delete: ['deletecollection', `delete${scope}Collection${namespaced ? subject : kind}`],
    }),
    at(`${collection}/{name}`, {
      get: ['get', `read${scope}${subject}`],
      put: ['put', `replace${scope}${subject}`],
      delete: ['delete', `delete${scope}${subject}`],
      patch: ['patch', `patch${scope}${subject}`],
    }),
    ...(resource.hasStatus ? [subresource('status')] : []),
    ...(resource.hasScale ? [subresource('scale', SCALE)] : []),
  ]
}

function operations(
  resource: CustomResource,
  path: string,
  ids: Record<string, [action: string, id: string]>,
  schema: string,
  model: TypeModel,
): Map<string, ApiOperation> {
  const { group, version, kind, listKind } = resource
  const listSchema = nameOf(resource, listKind)
  return new Map(
    Object.entries(ids).map(([method, [action, operationId]]) => {
      const facts: Operation = { operationId, action, gvk: { group, version, kind } }
      return [
        method,
        resourceOperation({
          path,
          method,
          facts,
          origin: 'custom',
          schema,
          listSchema,
          returnsDeletedObject: false,
          deletesUnsafely: hasDeleteOption(model, UNSAFE_DELETION),
          listsShards: hasShards(model),
        }),
      ]
    }),
  )
}

const TYPE_META = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
    type: 'string',
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
    type: 'string',
  },
}

const EMBEDDED_META = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${CONVENTIONS}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
    type: 'string',
  },
}

/** OpenAPI 3.0 allows a description next to a reference only in a combination. */
function described(description: string, name: string, dialect: Dialect): JsonObject {
  return dialect === 'v2'
    ? { description, ...reference(name, dialect) }
    : { description, allOf: [reference(name, dialect)] }
}

const metadataIn = (dialect: Dialect): JsonObject =>
  described(`Standard object's metadata. More info: ${CONVENTIONS}#metadata`, OBJECT_META, dialect)

function schemasOf(resource: CustomResource, dialect: Dialect): [string, JsonObject][] {
  const { group, version, plural, kind, listKind } = resource
  const selectable = resource.selectableFields ?? []
  const marks = (ofKind: string): JsonObject => ({
    'x-kubernetes-group-version-kind': [{ group, kind: ofKind, version }],
    ...(resource.unselectable ? {} : { 'x-kubernetes-selectable-fields': selectable }),
  })
  const schema =
    dialect === 'v2'
      ? published(plain(resource.schema), dialect)
      : published(resource.schema, dialect)
  const known = isJsonObject(schema.properties) ? schema.properties : {}
  const properties = byName({ ...known, ...TYPE_META, metadata: metadataIn(dialect) })
  const isOpen = dialect === 'v2' && resource.schema[PRESERVES] === true
  const list: JsonObject = {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: byName({
      ...TYPE_META,
      items: {
        description: `List of ${plural}. More info: ${CONVENTIONS}`,
        type: 'array',
        items: reference(nameOf(resource, kind), dialect),
      },
      metadata: described(
        `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`,
        LIST_META,
        dialect,
      ),
    }),
    ...marks(listKind),
  }
  return [
    [
      nameOf(resource, kind),
      orderedSchema({
        ...(isOpen ? { type: 'object' } : { ...schema, properties }),
        ...marks(kind),
      }),
    ],
    [nameOf(resource, listKind), list],
  ]
}

const NAMED = new Set(['properties', 'patternProperties', 'definitions'])
const SINGLE = new Set(['items', 'additionalProperties', 'not'])
const LISTED = new Set(['allOf', 'anyOf', 'oneOf'])

const UNPUBLISHED = new Set(['externalDocs', 'example'])

/** Expands Kubernetes extensions into plain OpenAPI. */
function published(schema: JsonObject, dialect: Dialect): JsonObject {
  const result: JsonObject = {}
  for (const [member, value] of Object.entries(schema)) {
    if (!UNPUBLISHED.has(member))
      result[member] = innerSchemas(member, value, (inner) => published(inner, dialect))
  }
  if (
    dialect === 'v3' &&
    schema['x-kubernetes-int-or-string'] &&
    !('anyOf' in schema) &&
    !('allOf' in schema)
  ) {
    result.anyOf = [{ type: 'integer' }, { type: 'string' }]
  }
  if (
    schema['x-kubernetes-embedded-resource'] &&
    !(dialect === 'v2' && schema[PRESERVES] === true)
  ) {
    const required = Array.isArray(result.required) ? result.required : []
    const known = isJsonObject(result.properties) ? result.properties : {}
    result.required = [
      ...required,
      ...['kind', 'apiVersion'].filter((name) => !required.includes(name)),
    ]
    result.properties = byName({ ...known, ...EMBEDDED_META, metadata: metadataIn(dialect) })
  }
  return orderedSchema(result)
}

const PRESERVES = 'x-kubernetes-preserve-unknown-fields'
const NOT_PLAIN = new Set(['default', 'nullable', 'allOf', 'anyOf', 'oneOf', 'not'])

/**
 * Without keywords that OpenAPI 2.0 lacks, or with which kubectl would reject valid objects. See
 * kubernetes.io, "Publish Validation Schema in OpenAPI".
 */
function plain(schema: JsonObject): JsonObject {
  const hidden = new Set(NOT_PLAIN)
  const { type, nullable, [PRESERVES]: open } = schema
  if (nullable === true) for (const member of ['type', 'items', 'properties']) hidden.add(member)
  if (open === true) for (const member of ['items', 'properties']) hidden.add(member)
  if (type === 'array' && (hidden.has('items') || schema.items === undefined)) hidden.add('type')
  if (type === 'object' && open === true) hidden.add('type')
  const required = requiredIn(schema, hidden)
  if (required.length === 0) hidden.add('required')
  const kept = Object.entries({ ...schema, required }).filter(([member]) => !hidden.has(member))
  return Object.fromEntries(
    kept.map(([member, value]) => [member, innerSchemas(member, value, plain)]),
  )
}

/** Nullable members lose their schema, so they are not required either. */
function requiredIn(
  { required, properties, additionalProperties }: JsonObject,
  hidden: ReadonlySet<string>,
): string[] {
  const names = Array.isArray(required) ? (required as string[]) : []
  if (isJsonObject(additionalProperties) && additionalProperties.nullable === true) return []
  const shown = isJsonObject(properties) && !hidden.has('properties') ? properties : {}
  return names.filter((name) => {
    const { [name]: member } = shown
    return !(isJsonObject(member) && member.nullable === true)
  })
}

function innerSchemas(
  member: string,
  value: Json,
  change: (schema: JsonObject) => JsonObject,
): Json {
  if (NAMED.has(member) && isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        isJsonObject(inner) ? change(inner) : inner,
      ]),
    )
  }
  if (SINGLE.has(member) && isJsonObject(value)) return change(value)
  if (LISTED.has(member) && Array.isArray(value))
    return value.map((inner) => (isJsonObject(inner) ? change(inner) : inner))
  return value
}
