/**
 * Writes types as schemas. Only version 3 has defaults, and descriptions next to a reference
 * (kube-apiserver 1.31).
 */
import { append } from '../../core/lists'
import type { Json, JsonObject } from '../../core/object'
import { builtinModel } from '../../schema/builtin'
import type {
  Field,
  ListType,
  MapType,
  ScalarFormat,
  StructType,
  TypeNode,
} from '../../schema/model'

export type Dialect = 'v2' | 'v3'

export interface Prose {
  ofType(name: string): string | undefined
  ofField(type: string, field: string): string | undefined
  /** Called atomic lists although their JSON is not a list. */
  calledLists?: ReadonlySet<string>
  /** Elements of lists and maps have no defaults. */
  plainElements?: boolean
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'

const NAMED_SCALARS: Partial<Record<ScalarFormat, string>> = {
  time: `${META}.Time`,
  microTime: `${META}.MicroTime`,
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
}

const SCALARS: Partial<Record<ScalarFormat, JsonObject>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
}

const ZERO: Partial<Record<ScalarFormat, Json>> = {
  string: '',
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
}

/** undefined for inline types. */
function schemaName(type: TypeNode): string | undefined {
  if (type.type === 'struct') return type.name || undefined
  if (type.type === 'any') return type.name
  return type.type === 'scalar' ? NAMED_SCALARS[type.format] : undefined
}

export function namedSchema(type: TypeNode, dialect: Dialect, prose: Prose): JsonObject {
  const description = prose.ofType(schemaName(type) ?? '')
  const described: JsonObject = description ? { description } : {}
  if (type.type === 'struct') return { ...described, ...structSchema(type, dialect, prose) }
  if (type.type === 'any')
    return {
      ...described,
      ...(/\.JSON(SchemaPropsOr\w+)?$/.test(type.name) ? {} : { type: 'object' }),
    }
  return { ...described, ...scalarSchema(type.type === 'scalar' ? type.format : 'string', dialect) }
}

function scalarSchema(format: ScalarFormat, dialect: Dialect): JsonObject {
  switch (format) {
    case 'time':
    case 'microTime':
      return { type: 'string', format: 'date-time' }
    case 'quantity':
      return dialect === 'v2'
        ? { type: 'string' }
        : { oneOf: [{ type: 'string' }, { type: 'number' }] }
    case 'intOrString':
      return dialect === 'v2'
        ? { type: 'string', format: 'int-or-string' }
        : { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }
    default:
      return { ...SCALARS[format] }
  }
}

function structSchema(type: StructType, dialect: Dialect, prose: Prose): JsonObject {
  const fields = [...type.fields].sort((a, b) => (a.name < b.name ? -1 : 1))
  const required = type.fields.filter((field) => field.required).map(({ name }) => name)
  const properties = Object.fromEntries(
    fields.map((field) => [field.name, fieldSchema(type.name, field, dialect, prose)]),
  )
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    ...(fields.length > 0 ? { properties } : {}),
    ...(type.groupVersionKinds
      ? { 'x-kubernetes-group-version-kind': type.groupVersionKinds.map(inAlphabet) }
      : {}),
    ...(type.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(type.unions ? { 'x-kubernetes-unions': type.unions.map(unionSchema) } : {}),
  }
}

const inAlphabet = ({
  group,
  version,
  kind,
}: NonNullable<StructType['groupVersionKinds']>[number]) => ({ group, kind, version })

function unionSchema({
  discriminator,
  fields,
}: {
  discriminator?: string
  fields: Record<string, string>
}): JsonObject {
  return { ...(discriminator ? { discriminator } : {}), 'fields-to-discriminateBy': fields }
}

function fieldSchema(owner: string, field: Field, dialect: Dialect, prose: Prose): JsonObject {
  const description = prose.ofField(owner, field.name)
  const schema: JsonObject = {
    ...(description ? { description: withValues(description, field.enum) } : {}),
    ...typeSchema(field.type, { dialect, prose }, dialect === 'v3' ? field.default : undefined),
    ...(isMadeGranular(field.type) ? { 'x-kubernetes-map-type': 'granular' } : {}),
    ...(field.patchMergeKey ? { 'x-kubernetes-patch-merge-key': field.patchMergeKey } : {}),
    ...(field.patchStrategy ? { 'x-kubernetes-patch-strategy': field.patchStrategy } : {}),
    ...(prose.calledLists?.has(`${owner}.${field.name}`)
      ? { 'x-kubernetes-list-type': 'atomic' }
      : {}),
  }
  return dialect === 'v3' ? unwrapped(schema) : schema
}

/** A reference without siblings needs no wrapper. */
function unwrapped(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = schema
  return Array.isArray(allOf) && Object.keys(rest).length === 0 ? (allOf[0] as JsonObject) : schema
}

/** The field shares a type that is atomic elsewhere. */
function isMadeGranular(type: TypeNode): boolean {
  if (type.type !== 'struct' || type.atomic || type.name === '') return false
  const usual = builtinModel().byName(type.name)
  return usual?.type === 'struct' && usual.atomic
}

export const VALUES_FOLLOW = 'Possible enum values:'

/** Most descriptions already explain each value. */
function withValues(description: string, values: string[] | undefined): string {
  if (values === undefined || description.includes(VALUES_FOLLOW)) return description
  return `${description}\n\n${VALUES_FOLLOW}\n${values.map((value) => ` - \`${JSON.stringify(value)}\``).join('\n')}`
}

interface Rendering {
  dialect: Dialect
  prose: Prose
}

function typeSchema(type: TypeNode, rendering: Rendering, fallback?: Json): JsonObject {
  const name = schemaName(type)
  if (name !== undefined) return reference(name, rendering.dialect, fallback)
  const defaults: JsonObject = fallback === undefined ? {} : { default: fallback }
  if (type.type === 'list') return { type: 'array', ...defaults, ...listSchema(type, rendering) }
  if (type.type === 'map') return { type: 'object', ...defaults, ...mapSchema(type, rendering) }
  if (type.type !== 'scalar') return {}
  return { ...SCALARS[type.format], ...defaults, ...(type.enum ? { enum: type.enum } : {}) }
}

function reference(name: string, dialect: Dialect, fallback: Json | undefined): JsonObject {
  if (dialect === 'v2') return { $ref: `#/definitions/${name}` }
  const $ref = `#/components/schemas/${name}`
  return { ...(fallback === undefined ? {} : { default: fallback }), allOf: [{ $ref }] }
}

function listSchema(
  { items, listType, listTypeImplied, mapKeys }: ListType,
  rendering: Rendering,
): JsonObject {
  return {
    items: elementSchema(items, rendering),
    ...(mapKeys.length > 0 ? { 'x-kubernetes-list-map-keys': mapKeys } : {}),
    ...(listTypeImplied ? {} : { 'x-kubernetes-list-type': listType }),
  }
}

function mapSchema({ values, atomic, granularStated }: MapType, rendering: Rendering): JsonObject {
  const stated = atomic ? 'atomic' : granularStated ? 'granular' : undefined
  return {
    additionalProperties: elementSchema(values, rendering),
    ...(stated ? { 'x-kubernetes-map-type': stated } : {}),
  }
}

/** The zero value is the default. A type with its own JSON decoder has none. */
function elementSchema(type: TypeNode, rendering: Rendering): JsonObject {
  const { dialect, prose } = rendering
  if (dialect === 'v2') return typeSchema(type, rendering)
  if (prose.plainElements) return unwrapped(typeSchema(type, rendering))
  if (type.type === 'struct') return typeSchema(type, rendering, {})
  const name = schemaName(type)
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  return typeSchema(type, rendering, type.type === 'scalar' ? ZERO[type.format] : undefined)
}

/** Includes the roots themselves. */
export function closure(roots: Iterable<TypeNode>): Map<string, TypeNode> {
  const found = new Map<string, TypeNode>()
  const pending = [...roots]
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    const name = schemaName(type)
    if (name !== undefined && found.has(name)) continue
    // A reference names the type itself, whatever the field changes about it.
    if (name !== undefined)
      found.set(name, (isMadeGranular(type) && builtinModel().byName(name)) || type)
    if (type.type === 'struct')
      append(
        pending,
        type.fields.map((field) => field.type),
      )
    else if (type.type === 'list') pending.push(type.items)
    else if (type.type === 'map') pending.push(type.values)
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}
