/**
 * Unspecified fields are invisible, but compared; null properties are absent (kubernetes.io,
 * "Validation rules"; k8s.io/apiserver, cel/common/values.go).
 */

import { toDuration, toTimestamp } from '../../../cel/values/conversions'
import { NO_SUCH_OVERLOAD } from '../../../cel/values/equality'
import { JsonMap, valueOfJson, valueOfNumber } from '../../../cel/values/json'
import {
  type Equality,
  EvaluationError,
  type ListValue,
  MapValue,
  type Value,
} from '../../../cel/values/value'
import { memoizeByIdentity } from '../../../core/identity-memo'
import { entryOf, equalJson, isJsonObject, type Json, type JsonObject } from '../../../core/object'
import { durationProblem } from '../../../schema/go-duration'
import { goTrim } from '../../../schema/go-text'
import { isInt64, numberLiteral } from '../../../schema/number-literals'
import { escapeName } from '../../../validation/custom-objects/property-names'
import { withObjectMeta } from './declared-type'
import { ItemList, KeyedList, SetList } from './list-values'

export interface RuleValuePlace {
  /** Absent: x-kubernetes-embedded-resource decides. */
  isResource?: boolean | undefined
  /** The number's text, where JavaScript loses precision. */
  literal?: string | undefined
}

export function ruleValueOf(
  given: JsonObject,
  json: Json,
  { isResource = given['x-kubernetes-embedded-resource'] === true, literal }: RuleValuePlace = {},
): Value {
  if (json === null) return null
  const misfit = misfitOf(given, json, literal)
  if (misfit !== undefined) return new EvaluationError(`invalid data, expected ${misfit}`)
  if (typeof json === 'number') return given.type === 'number' ? json : valueOfNumber(json, literal)
  if (given['x-kubernetes-int-or-string'] === true) return valueOfJson(json)
  if (Array.isArray(json))
    return isJsonObject(given.items) ? listOf(given, given.items, json) : new ItemList([])
  if (isJsonObject(json)) {
    const schema = isResource ? withObjectMeta(given) : given
    if (isJsonObject(schema.additionalProperties))
      return new EntryMap(schema.additionalProperties, json)
    return new FieldMap(schema, json)
  }
  return scalar(given, json)
}

/**
 * Old values may not match the type; rules that access them fail. Recorded from kube-apiserver
 * 1.31.
 * @returns expected and actual type; undefined if they match
 */
function misfitOf(schema: JsonObject, json: Json, literal: string | undefined): string | undefined {
  const isText = typeof json === 'string'
  const goType = (): string => goTypeOf(json, literal)
  if (schema['x-kubernetes-int-or-string'] === true) {
    return isText || goType() === 'int64'
      ? undefined
      : 'XIntOrString value to be either a string or integer'
  }
  switch (schema.type) {
    case 'object':
      return isJsonObject(json) ? undefined : 'a map for the provided schema with type=object'
    case 'array':
      return Array.isArray(json) ? undefined : 'an array for the provided schema with type=array'
    case 'string':
      return isText ? undefined : `string, got ${goType()}`
    case 'boolean':
      return typeof json === 'boolean' ? undefined : `bool, got ${goType()}`
    case 'integer':
      return goType() === 'int64' ? undefined : `int, got ${goType()}`
    case 'number':
      return typeof json === 'number' ? undefined : `float, got ${goType()}`
    default:
      return undefined
  }
}

function goTypeOf(json: Json, literal: string | undefined): string {
  if (Array.isArray(json)) return '[]interface {}'
  if (typeof json === 'number') return isInt64(json, literal) ? 'int64' : 'float64'
  if (typeof json === 'boolean') return 'bool'
  return typeof json === 'string' ? 'string' : 'map[string]interface {}'
}

function scalar({ format }: JsonObject, json: boolean | string): Value {
  if (typeof json !== 'string') return json
  switch (format) {
    case 'byte':
      return decoded(json)
    case 'duration':
      return toDuration(inGoUnits(json))
    case 'date':
      return toTimestamp(`${json}T00:00:00Z`)
    case 'date-time':
      return toTimestamp(json)
    default:
      return json
  }
}

function decoded(text: string): Value {
  try {
    return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))
  } catch {
    return new EvaluationError('invalid base64')
  }
}

/** Duration words: `2 hours`, `2d`. */
const WORDS: Readonly<Record<string, [factor: number, unit: string]>> = {
  ns: [1, 'ns'], nanosecond: [1, 'ns'], nano: [1, 'ns'],
  us: [1, 'us'], µs: [1, 'us'], μs: [1, 'us'], microsecond: [1, 'us'], micro: [1, 'us'],
  ms: [1, 'ms'], millisecond: [1, 'ms'], milli: [1, 'ms'],
  s: [1, 's'], sec: [1, 's'], second: [1, 's'],
  m: [1, 'm'], min: [1, 'm'], minute: [1, 'm'],
  h: [1, 'h'], hr: [1, 'h'], hour: [1, 'h'],
  d: [24, 'h'], day: [24, 'h'], w: [168, 'h'], wk: [168, 'h'], week: [168, 'h'],
} // biome-ignore format: one table

function inGoUnits(text: string): string {
  const trimmed = goTrim(text)
  if (durationProblem(trimmed) === undefined) return trimmed
  return trimmed.replace(
    /(?<!\d)(\d+(?:\.\d+)?)\s*([a-zA-Zµμ]+)\s*/g,
    (whole, number: string, word: string) => {
      const [factor, unit] = entryOf(WORDS, word) ??
        entryOf(WORDS, word.replace(/s$/, '')) ?? [0, '']
      return unit === '' ? whole : `${Number(number) * factor}${unit}`
    },
  )
}

const valueIn = (schema: JsonObject, holder: object, at: string | number, json: Json): Value =>
  ruleValueOf(schema, json, { literal: literalIn(holder, at, json) })

/** @returns the number's text, where JavaScript loses precision */
export const literalIn = (
  holder: object,
  at: string | number,
  json: Json | undefined,
): string | undefined => (typeof json === 'number' ? numberLiteral(holder, at) : undefined)

interface Field {
  name: string
  schema: JsonObject
}

/** By CEL name. */
const fieldsOf = memoizeByIdentity((schema: JsonObject): ReadonlyMap<string, Field> => {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const entries = Object.entries(properties).flatMap(([name, property]): [string, Field][] => {
    const escaped = escapeName(name)
    return escaped === undefined || !isJsonObject(property)
      ? []
      : [[escaped, { name, schema: property }]]
  })
  return new Map(entries)
})

/** Converts members on first access, since loops repeat it. */
abstract class ObjectMap extends MapValue {
  private readonly known = new Map<string, Value>()
  private names: readonly string[] | undefined

  protected abstract valueAt(name: string): Value | undefined
  protected abstract present(): readonly string[]

  get size(): number {
    return this.keys().length
  }

  override readonly comparedWithin = true
  override readonly goType = '*common.unstructuredMap'

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return NO_SUCH_OVERLOAD
    const known = this.known.get(key)
    if (known !== undefined) return known
    const value = this.valueAt(key)
    if (value !== undefined) this.known.set(key, value)
    return value
  }

  keys(): readonly string[] {
    this.names ??= this.present()
    return this.names
  }
}

const isThere = (json: Json | undefined): json is NonNullable<Json> =>
  json !== undefined && json !== null
const membersOf = (json: JsonObject): string[] =>
  Object.keys(json).filter((name) => json[name] !== undefined)

class FieldMap extends ObjectMap {
  private readonly fields: ReadonlyMap<string, Field>

  constructor(
    private readonly schema: JsonObject,
    private readonly json: JsonObject,
  ) {
    super()
    this.fields = fieldsOf(schema)
  }

  override get opened(): Value {
    return valueOfJson(this.json)
  }

  /** Compares specified members as values, others as JSON; null has no equal. */
  private comparedFields(other: FieldMap, equality: Equality): boolean | EvaluationError {
    const [own, theirs] = [this.json, other.json]
    const names = membersOf(own)
    if (names.length !== other.size) return false
    const properties = isJsonObject(this.schema.properties) ? this.schema.properties : {}
    for (const name of names) {
      const [a, b] = [own[name] as Json, entryOf(theirs, name)]
      const property = entryOf(properties, name)
      const same = isJsonObject(property)
        ? isThere(a) &&
          isThere(b) &&
          equality(valueIn(property, own, name, a), valueIn(property, theirs, name, b))
        : b === undefined || equalJson(a, b)
      if (same !== true) return same
    }
    return true
  }

  /** Unspecified members do not compare with those of other maps. */
  override compared(other: MapValue, equality: Equality): boolean | EvaluationError {
    if (other instanceof FieldMap) return this.comparedFields(other, equality)
    const names = membersOf(this.json).sort()
    if (names.length !== other.size) return false
    const properties = isJsonObject(this.schema.properties) ? this.schema.properties : {}
    for (const name of names) {
      const property = entryOf(properties, name)
      if (!isJsonObject(property)) return NO_SUCH_OVERLOAD
      const theirs = other.find(name)
      if (theirs === undefined) return false
      const same = equality(valueIn(property, this.json, name, this.json[name] as Json), theirs)
      if (same !== true) return same
    }
    return true
  }

  /** Identifies the values. @param names as in the object */
  textOf(names: readonly string[]): string {
    return textOf(this.json, names)
  }

  /** Counts invisible fields. */
  override get size(): number {
    return membersOf(this.json).length
  }

  protected present(): readonly string[] {
    return [...this.fields].flatMap(([escaped, { name }]) =>
      entryOf(this.json, name) === undefined ? [] : [escaped],
    )
  }

  protected valueAt(escaped: string): Value | undefined {
    // A reserved word needs no escape.
    const field = this.fields.get(escaped) ?? this.fields.get(`__${escaped}__`)
    const json = field && entryOf(this.json, field.name)
    return field === undefined || !isThere(json)
      ? undefined
      : valueIn(field.schema, this.json, field.name, json)
  }
}

class EntryMap extends ObjectMap {
  constructor(
    private readonly values: JsonObject,
    private readonly json: JsonObject,
  ) {
    super()
  }

  override get opened(): Value {
    return valueOfJson(this.json)
  }

  override compared(other: MapValue, equality: Equality): boolean | EvaluationError {
    if (this.size !== other.size) return false
    for (const name of this.keys()) {
      const theirs = other.find(name)
      if (theirs === undefined) return false
      const same = equality(this.find(name) as Value, theirs)
      if (same !== true) return same
    }
    return true
  }

  protected present(): readonly string[] {
    return Object.keys(this.json).filter((name) => this.json[name] !== undefined)
  }

  protected valueAt(name: string): Value | undefined {
    const json = entryOf(this.json, name)
    return json === undefined ? undefined : valueIn(this.values, this.json, name, json)
  }
}

function listOf(schema: JsonObject, items: JsonObject, json: Json[]): ListValue {
  const list = listWith(
    schema,
    json.map((item, index) => valueIn(items, json, index, item)),
  )
  list.native = json
  return list
}

function listWith(schema: JsonObject, values: readonly Value[]): ItemList {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return new SetList(values)
    case 'map':
      return new KeyedList(values, keyBy((schema['x-kubernetes-list-map-keys'] ?? []) as string[]))
    default:
      return new ItemList(values)
  }
}

/** Keys are CEL names: an escaped one like `namespace` is in no item (kube-apiserver 1.31). */
function keyBy(keys: readonly string[]): (item: Value) => string | undefined {
  const names = keys.map((key) => escapeName(key) ?? key)
  return (item) => {
    if (item instanceof FieldMap) return item.textOf(names)
    return item instanceof JsonMap ? textOf(item.members, names) : undefined
  }
}

const textOf = (json: JsonObject, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => entryOf(json, name) ?? null))
