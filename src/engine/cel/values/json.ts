/** Integers are `int`, other numbers `double`; members and items are converted when read. */
import type { Json, JsonObject } from '../../core/object'
import type { TypeNode } from '../../schema/model'
import { isInt64, numberLiteral } from '../../schema/number-literals'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { goTypeOf } from './go-types'
import { ArrayList, type Equality, EvaluationError, ListValue, MapValue, type Value } from './value'

/**
 * @param document absent: the JSON itself
 * @param type of a Go value, absent for unstructured JSON
 */
export function valueOfJson(
  json: Json | undefined,
  document?: JsonDocument,
  type?: TypeNode,
): Value {
  switch (typeof json) {
    case 'undefined':
      return null
    case 'number':
      return intOrDouble(json)
    case 'object':
      if (json === null) return null
      return containerOf(json, document ?? new JsonDocument(), type)
    default:
      return json
  }
}

function containerOf(
  json: Json[] | JsonObject,
  document: JsonDocument,
  type: TypeNode | undefined,
): Value {
  if (Array.isArray(json))
    return type?.type === 'list'
      ? new GoList(json, document, type.items)
      : new JsonList(json, document)
  if (type?.type === 'struct') return new GoStruct(json, document, type)
  return type?.type === 'map' ? new GoMap(json, document, type) : new JsonMap(json, document)
}

/** Of a struct or map in Go; undefined where Go has unstructured JSON. */
export function typeOfMember(type: TypeNode | undefined, name: string): TypeNode | undefined {
  if (type?.type === 'struct') return type.byName.get(name)?.type
  return type?.type === 'map' ? type.values : undefined
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
  type?: TypeNode,
): Value {
  return typeof json === 'number'
    ? valueOfNumber(json, numberLiteral(holder, at))
    : valueOfJson(json, document, type)
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
    protected readonly items: readonly Json[],
    private readonly document: JsonDocument,
    private readonly itemType?: TypeNode,
  ) {
    super()
  }

  get size(): number {
    return this.items.length
  }

  at(index: number): Value {
    return valueIn(this.items, index, this.items[index], this.document, this.itemType)
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
    readonly type?: TypeNode,
  ) {
    super()
  }

  get size(): number {
    return this.document.namesIn(this.members).length
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    const member = memberOf(this.members, key)
    if (member === undefined) return undefined
    return valueIn(this.members, key, member, this.document, typeOfMember(this.type, key))
  }

  keys(): readonly Value[] {
    return this.document.namesIn(this.members)
  }
}

/*
 * Values of Go types (k8s.io/apiserver, pkg/cel/common, `SchemalessTypedToVal`). In contrast to
 * unstructured ones, they reject keys of other types and comparisons with other types.
 */

class GoList extends JsonList {
  override readonly goType = '*common.reflectSchemalessTypedList'
  override readonly comparedWithin = true
  override readonly isIntIndexed = 'type'

  override compared(other: ListValue, equality: Equality): boolean {
    if (other instanceof GoList && other.items === this.items) return true
    if (other.size !== this.size) return false
    for (let index = 0; index < this.size; index++)
      if (equality(this.at(index), other.at(index)) !== true) return false
    return true
  }

  override plus(other: ListValue): ListValue {
    return new ArrayList([...this, ...other])
  }
}

class GoMap extends JsonMap {
  override readonly goType: string = '*common.reflectSchemalessTypedMap'
  override readonly comparedWithin = true

  override find(key: Value): Value | undefined {
    return typeof key === 'string'
      ? super.find(key)
      : new EvaluationError(`unsupported map key type: ${goTypeOf(key)}`)
  }

  override compared(other: MapValue, equality: Equality): boolean | EvaluationError {
    return this.differenceFrom(other, equality) === undefined
  }

  /** The comparison of the first members that are not equal. */
  protected differenceFrom(
    other: MapValue,
    equality: Equality,
  ): false | EvaluationError | undefined {
    if (other.size !== this.size) return false
    for (const key of this.keys()) {
      const theirs = other.find(key)
      const same = theirs !== undefined && equality(this.find(key) as Value, theirs)
      if (same !== true) return same
    }
    return undefined
  }
}

const sameType = (a: TypeNode | undefined, b: TypeNode | undefined): boolean =>
  a === b || (a?.type === 'struct' && b?.type === 'struct' && a.name !== '' && a.name === b.name)

class GoStruct extends GoMap {
  override readonly goType = '*common.reflectSchemalessTypedStruct'

  /** Structs are equal by their amounts: `1Ki` is `1024`. */
  override compared(other: MapValue, equality: Equality): boolean | EvaluationError {
    if (other instanceof GoStruct)
      return (
        sameType(this.type, other.type) && semanticallyEqual(this.type, this.members, other.members)
      )
    return this.differenceFrom(other, equality) ?? true
  }
}
