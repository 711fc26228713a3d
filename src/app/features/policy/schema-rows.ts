import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { BOUND_TEXTS, listKeyedBy, MARKER_TEXTS, oneOf } from './texts'

export interface SchemaRule {
  path: string
  rule: string
  message: string | undefined
  messagePath: string | undefined
}

export interface SchemaRow {
  path: string
  depth: number
  /** A member's name; `[]` for items, `*` for any member. */
  name: string
  type: string
  required: boolean
  markers: string[]
  bounds: string[]
  default: Json | undefined
  rules: SchemaRule[]
  schema: JsonObject
  /** Maximum occurrences in one object; undefined: unlimited. */
  count: number | undefined
  description: string | undefined
}

export function schemaRows(schema: JsonObject, path: string): SchemaRow[] {
  return rowsIn({ name: '', schema, path, required: false, count: 1 }, 0)
}

export interface ShownRow extends SchemaRow {
  within: number
  folded: boolean
}

/**
 * Filters the rows under folded paths. Folding `spec` of rows `. spec spec.a spec.b status` leaves
 * `. spec status`, and `spec` has two hidden rows.
 */
export function shownRows(rows: readonly SchemaRow[], folded: ReadonlySet<string>): ShownRow[] {
  const shown: ShownRow[] = []
  for (let index = 0; index < rows.length; ) {
    const row = rows[index] as SchemaRow
    const end = endOfInside(rows, index)
    const hidden = folded.has(row.path) && end > index + 1
    shown.push({ ...row, within: end - index - 1, folded: hidden })
    index = hidden ? end : index + 1
  }
  return shown
}

/** From this size on, only two levels are unfolded at first. */
const MANY_ROWS = 60
const FIRST_LEVELS = 2

export function foldedAtFirst(rows: readonly SchemaRow[]): ReadonlySet<string> {
  if (rows.length <= MANY_ROWS) return new Set()
  return new Set(rows.filter(({ depth }) => depth >= FIRST_LEVELS).map(({ path }) => path))
}

/** The symmetric difference: toggled rows reverse their default. */
export function turnedOver(
  set: ReadonlySet<string>,
  turned: Iterable<string>,
): ReadonlySet<string> {
  const result = new Set(set)
  for (const path of turned) if (!result.delete(path)) result.add(path)
  return result
}

/** The index of the next row that is not deeper. */
function endOfInside(rows: readonly SchemaRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0
  const next = rows.findIndex((row, at) => at > index && row.depth <= depth)
  return next < 0 ? rows.length : next
}

interface Place {
  name: string
  schema: JsonObject
  path: string
  required: boolean
  count: number | undefined
}

function rowsIn({ name, schema, path, required, count }: Place, depth: number): SchemaRow[] {
  const row: SchemaRow = {
    path,
    depth,
    name,
    type: typeText(schema),
    required,
    markers: markersOf(schema),
    bounds: boundsOf(schema),
    default: schema.default,
    rules: rulesOf(schema, path),
    schema,
    count,
    description: typeof schema.description === 'string' ? schema.description : undefined,
  }
  return [row, ...placesIn(schema, path, count).flatMap((place) => rowsIn(place, depth + 1))]
}

function placesIn(schema: JsonObject, path: string, count: number | undefined): Place[] {
  const { properties, items, additionalProperties, required } = schema
  const times = (most: Json | undefined) =>
    count === undefined || typeof most !== 'number' ? undefined : count * most
  const members = isJsonObject(properties) ? Object.entries(properties) : []
  const inside: Place[] = members.flatMap(([name, member]) =>
    isJsonObject(member)
      ? [
          {
            name,
            schema: member,
            path: `${path}.properties[${name}]`,
            required: Array.isArray(required) && required.includes(name),
            count,
          },
        ]
      : [],
  )
  if (isJsonObject(items))
    inside.push({
      name: '[]',
      schema: items,
      path: `${path}.items`,
      required: false,
      count: times(schema.maxItems),
    })
  if (isJsonObject(additionalProperties)) {
    const place = {
      name: '*',
      schema: additionalProperties,
      path: `${path}.additionalProperties`,
      required: false,
    }
    inside.push({ ...place, count: times(schema.maxProperties) })
  }
  return inside
}

/** `[]string`, `map[string]int64`, `object`. */
export function typeText(schema: JsonObject): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int or string'
  const { type, items, additionalProperties, format } = schema
  if (type === 'array') return `[]${isJsonObject(items) ? typeText(items) : 'anything'}`
  if (type === 'object' && isJsonObject(additionalProperties))
    return `map[string]${typeText(additionalProperties)}`
  if (typeof format === 'string') return format
  return typeof type === 'string' ? type : 'anything'
}

const MARKERS: readonly [
  name: string,
  words: (value: Json, schema: JsonObject) => string | undefined,
][] = [
  [
    'x-kubernetes-preserve-unknown-fields',
    (value) => (value === true ? MARKER_TEXTS.preserves : undefined),
  ],
  [
    'x-kubernetes-embedded-resource',
    (value) => (value === true ? MARKER_TEXTS.embedded : undefined),
  ],
  [
    'x-kubernetes-list-type',
    (value, schema) => (value === 'map' ? listKeyedBy(keysText(schema)) : `list: ${value}`),
  ],
  ['x-kubernetes-map-type', (value) => `map: ${value}`],
  ['nullable', (value) => (value === true ? 'nullable' : undefined)],
]

const keysText = (schema: JsonObject): string => {
  const keys = schema['x-kubernetes-list-map-keys']
  return Array.isArray(keys) ? keys.join(', ') : '?'
}

function markersOf(schema: JsonObject): string[] {
  return MARKERS.flatMap(([name, words]) => {
    const value = schema[name]
    return value === undefined ? [] : (words(value, schema) ?? [])
  })
}

const BOUNDS: readonly [name: string, sign: string][] = [
  ['minimum', '≥'],
  ['maximum', '≤'],
  ['multipleOf', BOUND_TEXTS.multipleOf],
  ['minLength', BOUND_TEXTS.minLength],
  ['maxLength', BOUND_TEXTS.maxLength],
  ['minItems', BOUND_TEXTS.minItems],
  ['maxItems', BOUND_TEXTS.maxItems],
  ['minProperties', BOUND_TEXTS.minProperties],
  ['maxProperties', BOUND_TEXTS.maxProperties],
  ['pattern', BOUND_TEXTS.pattern],
]

function boundsOf(schema: JsonObject): string[] {
  const { enum: values } = schema
  const listed = Array.isArray(values) ? [oneOf(values.map((value) => JSON.stringify(value)))] : []
  return [
    ...BOUNDS.flatMap(([name, sign]) =>
      schema[name] === undefined ? [] : [`${sign} ${schema[name]}`],
    ),
    ...listed,
  ]
}

function rulesOf(schema: JsonObject, path: string): SchemaRule[] {
  const rules = schema['x-kubernetes-validations']
  if (!Array.isArray(rules)) return []
  return rules.filter(isJsonObject).map(({ rule, message, messageExpression }, index) => {
    const at = `${path}.x-kubernetes-validations[${index}]`
    return {
      path: `${at}.rule`,
      rule: typeof rule === 'string' ? rule : '',
      message: typeof message === 'string' ? message : undefined,
      messagePath:
        typeof messageExpression === 'string' && messageExpression !== ''
          ? `${at}.messageExpression`
          : undefined,
    }
  })
}
