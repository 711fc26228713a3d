/** Integers are `int`, other numbers `double`; members and items are converted when read. */
import type { Json, JsonObject } from '../../core/object'
import { isInt64, numberLiteral } from '../../schema/number-literals'
import { type Equality, ListValue, MapValue, type Value } from './value'

/** @param document absent: the JSON itself */
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

const SMALL = Array.from({ length: 1024 }, (_, number) => BigInt(number))

function intOrDouble(json: number): Value {
  if ((json & (SMALL.length - 1)) === json) return SMALL[json] as bigint
  return Number.isInteger(json) && Math.abs(json) < 2 ** 63 ? BigInt(json) : json
}

/** @param literal as written, where a JavaScript number is less exact */
export function valueOfNumber(json: number, literal: string | undefined): Value {
  if (literal === undefined) return intOrDouble(json)
  return isInt64(json, literal) ? BigInt(literal) : json
}

export function valueIn(
  holder: object,
  at: string | number,
  json: Json | undefined,
  document: JsonDocument,
): Value {
  return typeof json === 'number'
    ? valueOfNumber(json, numberLiteral(holder, at))
    : valueOfJson(json, document)
}

export function memberOf(json: JsonObject, name: string): Json | undefined {
  const member: unknown = json[name]
  // Inherited members are functions, or the prototype itself.
  return typeof member === 'function' || member === Object.prototype
    ? undefined
    : (member as Json | undefined)
}

/** For loops, which read names and scalars repeatedly. */
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

const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER)
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
    return valueIn(this.items, index, this.items[index], this.document)
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

  override compared(other: ListValue, equality: Equality): boolean {
    if (other instanceof JsonList && other.items === this.items) return true
    if (other.size !== this.size) return false
    for (let index = 0; index < this.size; index++)
      if (equality(this.at(index), other.at(index)) === false) return false
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
    if (typeof key !== 'string') return undefined
    const member = memberOf(this.members, key)
    return member === undefined ? undefined : valueIn(this.members, key, member, this.document)
  }

  keys(): readonly Value[] {
    return this.document.namesIn(this.members)
  }
}
