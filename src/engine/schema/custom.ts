import { entryOf, isJsonObject, type Json, type JsonObject } from '../core/object'
import { builtinModel } from './builtin'
import { isAlwaysWritten } from './empty'
import { allowMissingKeys } from './missing-keys'
import type {
  AnyType,
  Field,
  ListType,
  MapType,
  OtherValues,
  ScalarFormat,
  StructType,
  TypeNode,
} from './model'

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

const ANYTHING: AnyType = { type: 'any', name: '' }
const CLOSED: AnyType = { type: 'any', name: '', closed: true }

/**
 * The root has apiVersion, kind and metadata even if the schema omits them.
 * @param schema `openAPIV3Schema` (apiextensions v1)
 * @param allowsMissingKeys whether list items may lack some of their keys
 */
export function modelOfCustomSchema(schema: JsonObject, allowsMissingKeys = false): StructType {
  const root = { ...schema, type: 'object', 'x-kubernetes-embedded-resource': true }
  const { metadata: _own, ...type } = structOfSchema(root, undefined)
  if (allowsMissingKeys) allowMissingKeys(type)
  return type
}

export class CustomTypes {
  private readonly built = new Map<JsonObject, TypeNode>()

  of(schema: JsonObject): TypeNode {
    return nodeOf(schema, this.built)
  }
}

/** Unused for a whole resource, which builds each part once. */
type Built = Map<JsonObject, TypeNode> | undefined

function nodeOf(schema: JsonObject, built: Built): TypeNode {
  const known = built?.get(schema)
  if (known !== undefined) return known
  const plain = plainNode(schema, built)
  const node = { ...plain, ...described(schema), ...others(schema, plain, built) }
  built?.set(schema, node)
  return node
}

/**
 * Keywords for another type still determine pruning and defaults. Recorded from kube-apiserver
 * 1.31.
 */
function others(schema: JsonObject, { type }: TypeNode, built: Built): { others?: OtherValues } {
  const keeps = schema['x-kubernetes-preserve-unknown-fields'] === true
  const isObject = type === 'struct' || type === 'map'
  const object =
    isObject || !(isJsonObject(schema.properties) || schema.additionalProperties !== undefined)
      ? undefined
      : objectOf(schema, built)
  const list = type === 'list' || !isJsonObject(schema.items) ? undefined : listOf(schema, built)
  if (object === undefined && list === undefined && (!keeps || isObject || type === 'any'))
    return {}
  return {
    others: {
      ...(object ? { object } : {}),
      ...(list ? { list } : {}),
      ...(keeps ? { keeps } : {}),
    },
  }
}

function described(schema: JsonObject): {
  description?: string
  nullable?: boolean
  default?: Json
} {
  return {
    ...(hasDefault(schema) ? { default: schema.default } : {}),
    ...(typeof schema.description === 'string' ? { description: schema.description } : {}),
    ...(schema.nullable === true ? { nullable: true } : {}),
  }
}

function hasDefault(schema: JsonObject): schema is JsonObject & { default: Json } {
  return schema.default !== undefined && schema.default !== null
}

function plainNode(schema: JsonObject, built: Built): TypeNode {
  if (schema['x-kubernetes-int-or-string'] === true)
    return { type: 'scalar', format: 'intOrString' }
  switch (schema.type) {
    case 'object':
      return objectOf(schema, built)
    case 'array':
      return listOf(schema, built)
    case 'string':
    case 'boolean':
    case 'number':
    case 'integer':
      return {
        type: 'scalar',
        format: scalarFormat(schema),
        ...stringValues(schema),
        ...textFormat(schema),
      }
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] === true ? ANYTHING : CLOSED
  }
}

const objectOf = (schema: JsonObject, built: Built): StructType | MapType =>
  isMap(schema) ? mapOf(schema, built) : structOfSchema(schema, built)

function scalarFormat({ type, format }: JsonObject): ScalarFormat {
  if (type === 'boolean' || type === 'string') return type
  if (type === 'number') return 'double'
  return format === 'int32' ? 'int32' : 'int64'
}

function stringValues(schema: JsonObject): { enum?: string[] } {
  const values = schema.enum
  return Array.isArray(values) && values.every((value) => typeof value === 'string')
    ? { enum: values }
    : {}
}

const textFormat = ({ type, format }: JsonObject): { textFormat?: string } =>
  type === 'string' && typeof format === 'string' ? { textFormat: format } : {}

function isMap(schema: JsonObject): boolean {
  const { additionalProperties: additional } = schema
  const hasMembers = isJsonObject(schema.properties) && Object.keys(schema.properties).length > 0
  return (
    (typeof additional === 'boolean' || isJsonObject(additional)) &&
    !hasMembers &&
    schema['x-kubernetes-embedded-resource'] !== true
  )
}

function additionalOf({ additionalProperties }: JsonObject, built: Built): TypeNode | undefined {
  if (isJsonObject(additionalProperties)) return nodeOf(additionalProperties, built)
  // `true` and `false` differ only for validation.
  return typeof additionalProperties === 'boolean' ? CLOSED : undefined
}

function mapOf(schema: JsonObject, built: Built): MapType {
  return {
    type: 'map',
    values: additionalOf(schema, built) ?? CLOSED,
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
  }
}

function listOf(schema: JsonObject, built: Built): ListType {
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys']
  return {
    type: 'list',
    items: itemsOf(schema, built),
    listType: listType === 'set' || listType === 'map' ? listType : 'atomic',
    mapKeys: Array.isArray(keys) ? (keys as string[]) : [],
    ...(listType === undefined ? { listTypeImplied: true } : {}),
  }
}

/**
 * Preserving unknown fields extends to items, but not to specified parts within them. Compared with
 * kube-apiserver 1.31.
 */
function itemsOf(
  { items, 'x-kubernetes-preserve-unknown-fields': keeps }: JsonObject,
  built: Built,
): TypeNode {
  if (!isJsonObject(items)) return keeps === true ? ANYTHING : CLOSED
  const schema = keeps === true ? { ...items, 'x-kubernetes-preserve-unknown-fields': true } : items
  return nodeOf(schema, built)
}

function structOfSchema(schema: JsonObject, built: Built): StructType {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const resource = schema['x-kubernetes-embedded-resource'] === true
  const types = new Map<string, TypeNode>(resource ? Object.entries(resourceMembers()) : [])
  for (const [name, property] of Object.entries(properties)) {
    if (isJsonObject(property) && !types.has(name)) types.set(name, nodeOf(property, built))
  }
  const fields = [...types.keys()]
    .sort()
    .map((name, index) =>
      fieldOf(
        name,
        index,
        types.get(name) as TypeNode,
        entryOf(properties, name),
        required.has(name),
      ),
    )
  const additional = additionalOf(schema, built)
  return {
    type: 'struct',
    name: '',
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    alwaysWritten: fields.filter(isAlwaysWritten),
    quantities: [],
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    ...(schema['x-kubernetes-preserve-unknown-fields'] === true ? { preserveUnknown: true } : {}),
    ...(additional === undefined ? {} : { additional }),
    ...(resource ? { resource } : {}),
    ...(resource && isJsonObject(properties.metadata)
      ? { metadata: nodeOf(properties.metadata, built) }
      : {}),
    ...described(schema),
  }
}

function resourceMembers(): Record<string, TypeNode> {
  const text: TypeNode = { type: 'scalar', format: 'string' }
  return { apiVersion: text, kind: text, metadata: builtinModel().byName(OBJECT_META) ?? ANYTHING }
}

/** Custom resources distinguish empty from absent values, as pointers do. */
function fieldOf(
  name: string,
  index: number,
  type: TypeNode,
  schema: Json | undefined,
  required: boolean,
): Field {
  const property = isJsonObject(schema) ? schema : {}
  return {
    name,
    index,
    type,
    required,
    whenEmpty: 'omit',
    pointer: true,
    ...(hasDefault(property) ? { default: property.default } : {}),
    ...(type.type === 'scalar' && type.enum ? { enum: type.enum } : {}),
    ...(typeof property.description === 'string' ? { description: property.description } : {}),
  }
}
