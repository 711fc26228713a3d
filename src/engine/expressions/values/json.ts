/** JSON as values: whole numbers are `int`, others `double`; members and items become values when they are looked at. */
import type { Json, JsonObject } from '../../object'
import { ListValue, MapValue, type Value } from './value'

export function valueOfJson(json: Json | undefined): Value {
  switch (typeof json) {
    case 'undefined':
      return null
    case 'number':
      return intOrDouble(json)
    case 'object':
      if (json === null) return null
      return Array.isArray(json) ? new JsonList(json) : new JsonMap(json)
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
  return typeof member === 'function' || member === Object.prototype ? undefined : (member as Json | undefined)
}

class JsonList extends ListValue {
  constructor(private readonly items: readonly Json[]) {
    super()
  }

  get size(): number {
    return this.items.length
  }

  at(index: number): Value {
    return valueOfJson(this.items[index] as Json)
  }
}

export class JsonMap extends MapValue {
  private names: string[] | undefined

  constructor(readonly members: JsonObject) {
    super()
  }

  private present(): string[] {
    this.names ??= Object.keys(this.members).filter((name) => this.members[name] !== undefined)
    return this.names
  }

  get size(): number {
    return this.present().length
  }

  find(key: Value): Value | undefined {
    const member = typeof key === 'string' ? memberOf(this.members, key) : undefined
    return member === undefined ? undefined : valueOfJson(member)
  }

  keys(): Value[] {
    return this.present()
  }
}
