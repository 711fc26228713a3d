/**
 * Types of removed versions, from Go field lists and Protobuf messages, since OpenAPI documents
 * lack them. List types, merge keys and required fields come from the next version's type.
 */
import { compileTypes, type GoFields, type PatchStrategies, type Schema } from './types'

type Messages = Record<string, Record<string, [number: number, type: string]>>

/** API groups of packages with another Go name. */
const GROUPS: Record<string, string> = {
  admissionregistration: 'admissionregistration.k8s.io',
  apiextensions: 'apiextensions.k8s.io',
  apiregistration: 'apiregistration.k8s.io',
  authentication: 'authentication.k8s.io',
  authorization: 'authorization.k8s.io',
  certificates: 'certificates.k8s.io',
  coordination: 'coordination.k8s.io',
  core: '',
  discovery: 'discovery.k8s.io',
  events: 'events.k8s.io',
  flowcontrol: 'flowcontrol.apiserver.k8s.io',
  networking: 'networking.k8s.io',
  node: 'node.k8s.io',
  rbac: 'rbac.authorization.k8s.io',
  scheduling: 'scheduling.k8s.io',
  storage: 'storage.k8s.io',
}

/** Packages with newer versions of a package's types. */
const LIKE: Record<string, string[]> = { extensions: ['apps.v1', 'networking.v1'] }
const NEWER = ['v1', 'v2', 'v1beta1']

/** `k8s.io.api.core.v1.Pod` -> `io.k8s.api.core.v1.Pod` */
function openApiName(message: string): string {
  return message
    .replace(/^k8s\.io\./, 'io.k8s.')
    .replace('apiextensions_apiserver', 'apiextensions-apiserver')
    .replace('kube_aggregator', 'kube-aggregator')
}

function messageName(type: string): string {
  return type
    .replace(/^io\.k8s\./, 'k8s.io.')
    .replace('apiextensions-apiserver', 'apiextensions_apiserver')
    .replace('kube-aggregator', 'kube_aggregator')
}

interface Facts {
  types: Record<string, Schema>
  goFields: GoFields
  messages: Messages
  patchStrategies: PatchStrategies
}

export function compileRemovedTypes(facts: Facts): Record<string, string> {
  const { types, goFields, messages } = facts
  const removed: Record<string, Schema> = {}
  const strategies: PatchStrategies = {}
  const unstructured = Object.fromEntries(
    Object.entries(messages).filter(([name]) => goFields[openApiName(name)] === undefined),
  )
  for (const [name, fields] of Object.entries(goFields)) {
    const message = messages[messageName(name)]
    if (
      types[name] !== undefined ||
      message === undefined ||
      name.startsWith('io.k8s.apimachinery.')
    )
      continue
    const newer = newerOf(name, types)
    const described = newer === undefined ? undefined : types[newer]
    removed[name] = likeNewer(
      schemaOf(name, fields, message, messages, unstructured, types),
      fields,
      described,
    )
    const patch = newer && facts.patchStrategies[newer]
    if (patch) strategies[name] = patch
  }
  return compileTypes(removed, goFields, strategies).types
}

/** The type in the next version. */
function newerOf(name: string, types: Record<string, Schema>): string | undefined {
  const parts = name.split('.')
  const [group = '', , type = ''] = parts.slice(-3)
  const places =
    LIKE[group]?.map((place) => `io.k8s.api.${place}`) ??
    NEWER.map((version) => [...parts.slice(0, -2), version].join('.'))
  return places
    .map((place) => `${place}.${type}`)
    .find((candidate) => candidate !== name && types[candidate] !== undefined)
}

const MARKS = [
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'enum',
] as const

function likeNewer(
  schema: Schema,
  fields: Record<string, string>,
  newer: Schema | undefined,
): Schema {
  if (newer === undefined) return schema
  for (const mark of ['x-kubernetes-map-type', 'x-kubernetes-unions'] as const)
    if (newer[mark]) Object.assign(schema, { [mark]: newer[mark] })
  const required = (newer.required ?? []).filter((field) => fields[field]?.startsWith('always'))
  if (required.length > 0) schema.required = required
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    const described = newer.properties?.[field]
    if (described === undefined) continue
    for (const mark of MARKS)
      if (described[mark] !== undefined) Object.assign(property, { [mark]: described[mark] })
  }
  return schema
}

function schemaOf(
  name: string,
  fields: Record<string, string>,
  message: Messages[string],
  messages: Messages,
  unstructured: Messages,
  types: Record<string, Schema>,
): Schema {
  const properties: Record<string, Schema> = {}
  for (const field of Object.keys(fields)) {
    if (field === 'kind' && fields.apiVersion) properties.kind = { type: 'string' }
    else if (field === 'apiVersion' && fields.kind) properties.apiVersion = { type: 'string' }
    else properties[field] = propertyOf(protobufType(field, message, messages), unstructured, types)
  }
  const schema: Schema = { type: 'object', properties }
  const [group = '', version = '', kind = ''] = name.split('.').slice(-3)
  if (
    properties.kind &&
    properties.apiVersion &&
    (fields.metadata || kind === 'DeploymentRollback')
  ) {
    schema['x-kubernetes-group-version-kind'] = [{ group: GROUPS[group] ?? group, version, kind }]
  }
  return schema
}

/** Embedded Go structs, such as a volume's source, are separate messages. */
function protobufType(field: string, message: Messages[string], messages: Messages): string {
  const own = fieldOf(message, field)
  if (own !== undefined) return own
  for (const [, type] of Object.values(message)) {
    const embedded = fieldOf(messages[type] ?? {}, field)
    if (embedded !== undefined) return embedded
  }
  return 'string'
}

/** A few Protobuf fields differ in case. */
function fieldOf(message: Messages[string], field: string): string | undefined {
  const found =
    message[field] ??
    Object.entries(message).find(([name]) => name.toLowerCase() === field.toLowerCase())?.[1]
  return found?.[1]
}

const SCALARS: Record<string, Schema> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
}

/** @param unstructured messages of types that are not Go structs */
function propertyOf(type: string, unstructured: Messages, types: Record<string, Schema>): Schema {
  if (type.endsWith('[]'))
    return { type: 'array', items: propertyOf(type.slice(0, -2), unstructured, types) }
  const map = type.match(/^map<string,(.*)>$/)
  if (map?.[1])
    return { type: 'object', additionalProperties: propertyOf(map[1], unstructured, types) }
  const list = namedList(unstructured[type])
  if (list !== undefined) return propertyOf(list, unstructured, types)
  if (SCALARS[type]) return { ...SCALARS[type] }
  const name = openApiName(type)
  const isGone = types[name] === undefined && unstructured[type] !== undefined
  return { $ref: `#/${(isGone && newerOf(name, types)) || name}` }
}

/** A named list (ExtraValue), whose message has only the list. */
function namedList(message: Messages[string] | undefined): string | undefined {
  const { items, ...others } = message ?? {}
  return items !== undefined && Object.keys(others).length === 0 ? items[1] : undefined
}
