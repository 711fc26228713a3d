/**
 * Compiles OpenAPI schemas and Go field lists to the notation of
 * src/engine/schema/type-notation.ts.
 */

export interface Schema {
  type?: string
  format?: string
  $ref?: string
  allOf?: { $ref: string }[]
  oneOf?: unknown[]
  enum?: string[]
  default?: unknown
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  items?: Schema
  'x-kubernetes-list-type'?: string
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-map-type'?: string
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
  'x-kubernetes-unions'?: unknown[]
}

/** By type and JSON field: `omitempty`, `omitzero` or `always`, then the Go type. */
export type GoFields = Record<string, Record<string, string>>

export type PatchStrategies = Record<
  string,
  Record<string, { patchStrategy?: string; patchMergeKey?: string }>
>

/** Kinds of every group version, such as DeleteOptions, list more versions than others. */
const COMMON_KIND_VERSIONS = 10

export function compileTypes(
  types: Record<string, Schema>,
  goFields: GoFields,
  patchStrategies: PatchStrategies,
) {
  const compiled: Record<string, string> = {}
  const commonVersions: Record<string, string> = {}
  for (const [name, schema] of Object.entries(types)) {
    const lines = [...headerLines(schema, commonVersions)]
    for (const field of fieldsInOrder(schema, goFields[name])) {
      const go = goFields[name]?.[field] ?? 'always string'
      lines.push(fieldLine(name, field, schema, go, patchStrategies[name]?.[field] ?? {}))
    }
    compiled[shortName(name)] = lines.join('\n')
  }
  return { types: compiled, commonVersions }
}

function fieldsInOrder(schema: Schema, goFields: Record<string, string> = {}): string[] {
  const properties = Object.keys(schema.properties ?? {})
  const ordered = Object.keys(goFields).filter((field) => properties.includes(field))
  return [...ordered, ...properties.filter((field) => !ordered.includes(field))]
}

function* headerLines(schema: Schema, commonVersions: Record<string, string>): Generator<string> {
  if (schema['x-kubernetes-map-type'] === 'atomic') yield '@atomic'
  const kinds = schema['x-kubernetes-group-version-kind'] ?? []
  const kind = kinds[0]
  if (kind !== undefined && kinds.length >= COMMON_KIND_VERSIONS) {
    commonVersions[kind.kind] = kinds.map(({ group, version }) => `${group}/${version}`).join(' ')
    yield `@common ${kind.kind}`
  } else if (kind !== undefined) {
    yield `@kinds ${kinds.map(({ group, version, kind }) => `${group}/${version}/${kind}`).join(' ')}`
  }
  if (schema['x-kubernetes-unions'])
    yield `@unions ${JSON.stringify(schema['x-kubernetes-unions'])}`
}

/** `replicas?:*i`, `protocol?:<.Protocol>s(SCTP|TCP|UDP)="TCP"` */
function fieldLine(
  owner: string,
  field: string,
  parent: Schema,
  go: string,
  patch: { patchStrategy?: string; patchMergeKey?: string },
): string {
  const schema = parent.properties?.[field] ?? {}
  const [presence = '', goType = ''] = [go.slice(0, go.indexOf(' ')), go.slice(go.indexOf(' ') + 1)]
  const omit = { omitempty: '?', omitzero: '??' }[presence] ?? ''
  const required = parent.required?.includes(field) ? '!' : ''
  const pointer = goType.startsWith('*') ? '*' : ''
  const strategy = patch.patchStrategy
    ? ` %${patch.patchStrategy}${patch.patchMergeKey ? `/${patch.patchMergeKey}` : ''}`
    : ''
  const listType =
    schema.type !== 'array' && schema['x-kubernetes-list-type']
      ? ` ^${schema['x-kubernetes-list-type']}`
      : ''
  const value = schema.default === undefined ? '' : `=${JSON.stringify(schema.default)}`
  return `${field}${omit}${required}:${pointer}${typeOf(schema, goType.replace(/^\*/, ''), owner).text}${value}${strategy}${listType}`
}

interface Expression {
  text: string
  /** As in error messages. */
  goType: string
}

/** Includes the Go type only if it differs from the derived one. */
function typeOf(schema: Schema, goType: string | undefined, owner: string): Expression {
  const { text, goType: derived } = plainType(schema, goType, owner)
  if (goType === undefined || goType === derived) return { text, goType: derived }
  const own = packageOf(owner)
  const shown = goType.startsWith(`${own}.`) ? goType.slice(own.length) : goType
  return { text: `<${shown}>${text}`, goType }
}

function plainType(schema: Schema, goType: string | undefined, owner: string): Expression {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
  if (reference !== undefined) {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    const granular = schema['x-kubernetes-map-type'] === 'granular' ? '~' : ''
    return { text: granular + relativeName(name, owner), goType: goNameOf(name) }
  }
  if (schema.type === 'array' && schema.items) {
    const items = typeOf(
      schema.items,
      goType?.startsWith('[]') ? goType.slice(2) : undefined,
      owner,
    )
    const keys = schema['x-kubernetes-list-map-keys']
    return {
      text: `[${keys ? keys.join(',') : (schema['x-kubernetes-list-type'] ?? '')}]${items.text}`,
      goType: `[]${items.goType}`,
    }
  }
  if (schema.type === 'object' && schema.additionalProperties) {
    const key = goType?.match(/^map\[([^\]]+)\]/)
    const values = typeOf(
      schema.additionalProperties,
      key ? goType?.slice(key[0].length) : undefined,
      owner,
    )
    return {
      text: `{${schema['x-kubernetes-map-type'] ?? ''}}${values.text}`,
      goType: `map[string]${values.goType}`,
    }
  }
  const scalar = SCALARS[`${schema.type}/${schema.format ?? ''}`]
  if (scalar === undefined) throw new Error(`${owner}: no notation for ${JSON.stringify(schema)}`)
  return {
    text: scalar.text + (schema.enum ? `(${schema.enum.join('|')})` : ''),
    goType: scalar.goType,
  }
}

const SCALARS: Record<string, Expression> = {
  'string/': { text: 's', goType: 'string' },
  'integer/int32': { text: 'i', goType: 'int32' },
  'integer/int64': { text: 'l', goType: 'int64' },
  'number/double': { text: 'd', goType: 'float64' },
  'boolean/': { text: 'b', goType: 'bool' },
  'string/byte': { text: 'B', goType: '[]uint8' },
}

/** `io.k8s.api.core.v1.Pod` -> `api.core.v1.Pod` */
export function shortName(name: string): string {
  return name.replace(/^io\.k8s\./, '')
}

/** `.Container` in the same package, else the short name. */
function relativeName(name: string, owner: string): string {
  const parent = (type: string) => type.slice(0, type.lastIndexOf('.'))
  return parent(name) === parent(owner) ? name.slice(parent(name).length) : shortName(name)
}

/** `io.k8s.api.core.v1.Pod` -> `v1.Pod` */
function goNameOf(name: string): string {
  return name.split('.').slice(-2).join('.')
}

function packageOf(name: string): string {
  return name.split('.').at(-2) ?? ''
}
