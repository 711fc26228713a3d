/** JSON as values: whole numbers are `int`, others `double`; members and items become values when they are looked at. */
import type { Json, JsonObject } from '../../object'
import { ListValue, MapValue, type Value } from './value'

/** @param document what the JSON is a part of; absent: it is one by itself */
export function valueOfJson(json: Json | undefined, document?: JsonDocument): Value {
  switch (typeof json) {
    case 'undefined':
      return null
    case 'number':
      return intOrDouble(json)
    case 'object':
      if (json === null) return null
      if (Array.isArray(json)) return new JsonList(json, document ?? new JsonDocument())
      return new JsonMap(json, document ?? new JsonDocument())
    default:
      return json
  }
}

/** Most numbers of objects are among these: no new value is made for them. */
const SMALL = Array.from({ length: 1024 }, (_, number) => BigInt(number))

function intOrDouble(json: number): Value {
  if ((json & (SMALL.length - 1)) === json) return SMALL[json] as bigint
  return Number.isInteger(json) && Math.abs(json) < 2 ** 63 ? BigInt(json) : json
}

/** @returns undefined for a name that is not there, though every JavaScript object may have it */
export function memberOf(json: JsonObject, name: string): Json | undefined {
  const member: unknown = json[name]
  // What is inherited is a function, or the prototype itself.
  return typeof member === 'function' || member === Object.prototype
    ? undefined
    : (member as Json | undefined)
}

/** What is known of a whole: values of its parts are made anew each time, but names are listed once, however often loops ask. */
export class JsonDocument {
  private names: Map<JsonObject, readonly string[]> | undefined
  private items: Map<readonly Json[], ReadonlySet<Json>> | undefined

  namesIn(members: JsonObject): readonly string[] {
    this.names ??= new Map()
    let names = this.names.get(members)
    if (names === undefined) {
      names = Object.keys(members).filter((name) => members[name] !== undefined)
      this.names.set(members, names)
    }
    return names
  }

  /** For finding scalars. */
  itemsOf(list: readonly Json[]): ReadonlySet<Json> {
    this.items ??= new Map()
    let items = this.items.get(list)
    if (items === undefined) {
      items = new Set(list)
      this.items.set(list, items)
    }
    return items
  }
}

/** Numbers up to here are told apart as they are. */
const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER)
/** Below this many items going through them is the fastest. */
const FEW = 16

class JsonList extends ListValue {
  constructor(
    private readonly items: readonly Json[],
    private readonly document: JsonDocument,
  ) {
    super()
  }

  get size(): number {
    return this.items.length
  }

  at(index: number): Value {
    return valueOfJson(this.items[index] as Json, this.document)
  }

  override holds(value: Value): boolean | undefined {
    const plain =
      typeof value === 'bigint' && value >= -MOST_EXACT && value <= MOST_EXACT
        ? Number(value)
        : value
    if (typeof plain !== 'string' && typeof plain !== 'number' && typeof plain !== 'boolean')
      return undefined
    return this.items.length < FEW
      ? this.items.includes(plain)
      : this.document.itemsOf(this.items).has(plain)
  }

  override equals(other: ListValue, equal: (a: Value, b: Value) => boolean): boolean {
    if (other instanceof JsonList && other.items === this.items) return true
    if (other.size !== this.size) return false
    for (let index = 0; index < this.size; index++)
      if (!equal(this.at(index), other.at(index))) return false
    return true
  }
}

export class JsonMap extends MapValue {
  constructor(
    readonly members: JsonObject,
    readonly document: JsonDocument,
  ) {
    super()
  }

  get size(): number {
    return this.document.namesIn(this.members).length
  }

  find(key: Value): Value | undefined {
    const member = typeof key === 'string' ? memberOf(this.members, key) : undefined
    return member === undefined ? undefined : valueOfJson(member, this.document)
  }

  keys(): readonly Value[] {
    return this.document.namesIn(this.members)
  }
}
