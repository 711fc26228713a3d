/** Objects as rules see them: JSON by its schema. What a schema does not name is not there. */
import { toDuration, toTimestamp } from '../../../expressions/values/conversions'
import { valueOfJson } from '../../../expressions/values/json'
import { ArrayList, EvaluationError, type ListValue, MapValue, type Value } from '../../../expressions/values/value'
import { isJsonObject, type Json, type JsonObject } from '../../../object'
import { withObjectMeta } from './declared-type'
import { escapeName } from './property-names'

export function ruleValueOf(given: JsonObject, json: Json, isResource = given['x-kubernetes-embedded-resource'] === true): Value {
  if (json === null) return null
  if (given['x-kubernetes-int-or-string'] === true) return valueOfJson(json)
  if (Array.isArray(json)) return isJsonObject(given.items) ? listOf(given, given.items, json) : new ArrayList([])
  if (isJsonObject(json)) {
    const schema = isResource ? withObjectMeta(given) : given
    if (isJsonObject(schema.additionalProperties)) return new EntryMap(schema.additionalProperties, json)
    return new FieldMap(schema, json)
  }
  return scalar(given, json)
}

function scalar({ type, format }: JsonObject, json: boolean | number | string): Value {
  if (typeof json === 'number') return type === 'number' ? json : valueOfJson(json)
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

/** Durations in schemas may also be counted in words and in days: `2 hours`, `2d`. */
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
  const trimmed = text.trim()
  if (/^[-+]?(?:0|(?:\d+\.?\d*(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(trimmed)) return trimmed
  return trimmed.replace(/(\d+(?:\.\d+)?)\s*([a-zA-Zµμ]+)\s*/g, (whole, number: string, word: string) => {
    const [factor, unit] = WORDS[word] ?? WORDS[word.replace(/s$/, '')] ?? [0, '']
    return unit === '' ? whole : `${Number(number) * factor}${unit}`
  })
}

/** An object whose fields the schema names. */
class FieldMap extends MapValue {
  override get typeName(): string {
    return 'object'
  }

  private names: Map<string, string> | undefined

  constructor(
    private readonly schema: JsonObject,
    private readonly json: JsonObject,
  ) {
    super()
  }

  /** From the names that expressions write to those of the object, of the fields that are there. */
  private present(): Map<string, string> {
    if (this.names === undefined) {
      this.names = new Map()
      const properties = isJsonObject(this.schema.properties) ? this.schema.properties : {}
      for (const name of Object.keys(properties)) {
        const escaped = this.json[name] === undefined ? undefined : escapeName(name)
        if (escaped !== undefined) this.names.set(escaped, name)
      }
    }
    return this.names
  }

  get size(): number {
    return this.present().size
  }

  find(key: Value): Value | undefined {
    const name = this.present().get(key as string)
    if (name === undefined) return undefined
    const property = (this.schema.properties as JsonObject)[name]
    return isJsonObject(property) ? ruleValueOf(property, this.json[name] as Json) : undefined
  }

  keys(): Value[] {
    return [...this.present().keys()]
  }
}

/** An object whose members are all of one schema. */
class EntryMap extends MapValue {
  private readonly names: string[]

  constructor(
    private readonly values: JsonObject,
    private readonly json: JsonObject,
  ) {
    super()
    this.names = Object.keys(json).filter((name) => json[name] !== undefined)
  }

  get size(): number {
    return this.names.length
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.json, key)) return undefined
    const member = this.json[key]
    return member === undefined ? undefined : ruleValueOf(this.values, member)
  }

  keys(): Value[] {
    return this.names
  }
}

type Equal = (a: Value, b: Value) => boolean

function listOf(schema: JsonObject, items: JsonObject, json: Json[]): ListValue {
  const values = json.map((item) => ruleValueOf(items, item))
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return new SetList(values)
    case 'map':
      return new KeyedList(values, (schema['x-kubernetes-list-map-keys'] ?? []) as string[])
    default:
      return new ArrayList(values)
  }
}

/** A list whose order does not count; more is added only if it is not there yet (document 3, "Expression language" 3). */
class SetList extends ArrayList {
  override equals(other: ListValue, equal: Equal): boolean {
    return this.size === other.size && [...other].every((item) => this.items.some((candidate) => equal(item, candidate)))
  }

  override plus(other: ListValue, equal: Equal): ListValue {
    const added = [...other].filter((item) => !this.items.some((present) => equal(present, item)))
    return new SetList([...this.items, ...added])
  }
}

/** A list whose items have keys: those of equal keys are one item. */
class KeyedList extends ArrayList {
  constructor(
    items: readonly Value[],
    private readonly keys: readonly string[],
  ) {
    super(items)
  }

  private sameKeys(a: Value, b: Value, equal: Equal): boolean {
    if (!(a instanceof MapValue) || !(b instanceof MapValue)) return false
    return this.keys.every((key) => {
      const [left, right] = [a.find(key), b.find(key)]
      return left === undefined || right === undefined ? left === right : equal(left, right)
    })
  }

  override equals(other: ListValue, equal: Equal): boolean {
    return (
      this.size === other.size &&
      [...other].every((item) => this.items.some((candidate) => this.sameKeys(item, candidate, equal) && equal(item, candidate)))
    )
  }

  override plus(other: ListValue, equal: Equal): ListValue {
    const joined = [...this.items]
    for (const item of other) {
      const place = joined.findIndex((present) => this.sameKeys(present, item, equal))
      if (place < 0) joined.push(item)
      else joined[place] = item
    }
    return new KeyedList(joined, this.keys)
  }
}
