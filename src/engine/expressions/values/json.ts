/** JSON as values: whole numbers are `int`, others `double`; members and items become values when they are looked at. */
import type { Json, JsonObject } from '../../object'
import { ListValue, MapValue, type Value } from './value'

export function valueOfJson(json: Json | undefined): Value {
  switch (typeof json) {
    case 'undefined':
      return null
    case 'number':
      return Number.isInteger(json) && Math.abs(json) < 2 ** 63 ? BigInt(json) : json
    case 'object':
      if (json === null) return null
      return Array.isArray(json) ? new JsonList(json) : new JsonMap(json)
    default:
      return json
  }
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

class JsonMap extends MapValue {
  private names: string[] | undefined

  constructor(private readonly members: JsonObject) {
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
    if (typeof key !== 'string' || !Object.hasOwn(this.members, key)) return undefined
    const member = this.members[key]
    return member === undefined ? undefined : valueOfJson(member)
  }

  keys(): Value[] {
    return this.present()
  }
}
