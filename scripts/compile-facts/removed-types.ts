/** Types of versions that are gone from the OpenAPI documents, put together from Go field lists and Protobuf messages. */
import { compileTypes, type GoFields, type Schema } from './types'

type Messages = Record<string, Record<string, [number: number, type: string]>>

/** Groups' packages whose Go name is not the API group. */
const GROUPS: Record<string, string> = {
  admissionregistration: 'admissionregistration.k8s.io',
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

/** `k8s.io.api.core.v1.Pod` -> `io.k8s.api.core.v1.Pod` */
function openApiName(message: string): string {
  return message.replace(/^k8s\.io\./, 'io.k8s.')
}

export function compileRemovedTypes(types: Record<string, Schema>, goFields: GoFields, messages: Messages): Record<string, string> {
  const removed: Record<string, Schema> = {}
  const unstructured = Object.fromEntries(Object.entries(messages).filter(([name]) => goFields[openApiName(name)] === undefined))
  for (const [name, fields] of Object.entries(goFields)) {
    const message = messages[name.replace(/^io\.k8s\./, 'k8s.io.')]
    if (types[name] !== undefined || message === undefined || !name.startsWith('io.k8s.api.')) continue
    removed[name] = schemaOf(name, fields, message, messages, unstructured)
  }
  return compileTypes(removed, goFields, {}).types
}

function schemaOf(
  name: string,
  fields: Record<string, string>,
  message: Messages[string],
  messages: Messages,
  unstructured: Messages,
): Schema {
  const properties: Record<string, Schema> = {}
  for (const field of Object.keys(fields)) {
    if (field === 'kind' && fields.apiVersion) properties.kind = { type: 'string' }
    else if (field === 'apiVersion' && fields.kind) properties.apiVersion = { type: 'string' }
    else properties[field] = propertyOf(protobufType(field, message, messages), unstructured)
  }
  const schema: Schema = { type: 'object', properties }
  const [group = '', version = '', kind = ''] = name.split('.').slice(-3)
  if (properties.kind && properties.apiVersion && fields.metadata) {
    schema['x-kubernetes-group-version-kind'] = [{ group: GROUPS[group] ?? group, version, kind }]
  }
  return schema
}

/** The field's Protobuf type; embedded structs (a volume's source) are messages of their own there. */
function protobufType(field: string, message: Messages[string], messages: Messages): string {
  const own = message[field]
  if (own !== undefined) return own[1]
  for (const [, type] of Object.values(message)) {
    const embedded = messages[type]?.[field]
    if (embedded !== undefined) return embedded[1]
  }
  return 'string'
}

const SCALARS: Record<string, Schema> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
}

/** `unstructured` are messages of types that are no structures. */
function propertyOf(type: string, unstructured: Messages): Schema {
  if (type.endsWith('[]')) return { type: 'array', items: propertyOf(type.slice(0, -2), unstructured) }
  const map = type.match(/^map<string,(.*)>$/)
  if (map?.[1]) return { type: 'object', additionalProperties: propertyOf(map[1], unstructured) }
  const list = namedList(unstructured[type])
  if (list !== undefined) return propertyOf(list, unstructured)
  return SCALARS[type] ?? { $ref: `#/${openApiName(type)}` }
}

/** A list type with a name of its own is a message with nothing but the list (ExtraValue). */
function namedList(message: Messages[string] | undefined): string | undefined {
  const { items, ...others } = message ?? {}
  return items !== undefined && Object.keys(others).length === 0 ? items[1] : undefined
}
