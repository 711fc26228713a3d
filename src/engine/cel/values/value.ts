/**
 * Values of the expression language: `int` is a bigint of 64 bits, `double` a number, `string` a string (its size is counted in
 * code points), `bytes` a Uint8Array, null and booleans themselves; everything else is one of the classes here. An error is a
 * value too, so that `&&` and `||` may absorb it.
 */

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | UInt
  | Duration
  | Timestamp
  | ListValue
  | MapValue
  | TypeValue
  | OptionalValue
  | OpaqueValue
  | EvaluationError

/** What went wrong while evaluating. */
export class EvaluationError {
  constructor(readonly message: string) {}
}

/** An unsigned whole number of 64 bits. */
export class UInt {
  constructor(readonly value: bigint) {}
}

export class Duration {
  constructor(readonly nanoseconds: bigint) {}
}

export class Timestamp {
  constructor(
    /** Since 1970-01-01T00:00:00Z. */
    readonly nanoseconds: bigint,
    /** Minutes east of UTC in which it is written; it counts for nothing else. */
    readonly offset = 0,
  ) {}
}

/** A type as a value: `type(1)`, `int`. */
export class TypeValue {
  constructor(readonly name: string) {}
}

export class OptionalValue {
  static readonly none = new OptionalValue(undefined)
  constructor(readonly value: Value | undefined) {}
}

/** A value that only the functions of a library can read. */
export abstract class OpaqueValue {
  abstract readonly typeName: string
  /** @returns undefined where such values cannot be compared */
  equals(other: Value): boolean | undefined {
    return this === other
  }
}

/** What `==` says of two values. */
export type Equality = (a: Value, b: Value) => boolean | EvaluationError

export abstract class ListValue {
  abstract readonly size: number
  abstract at(index: number): Value

  *[Symbol.iterator](): Generator<Value> {
    const { size } = this
    for (let index = 0; index < size; index++) yield this.at(index)
  }

  /** Lists that know it without comparing; undefined for values that must be compared. */
  holds?(value: Value): boolean | undefined
  /** Lists that are sets or maps say by themselves what is equal and what is added. */
  equals?(other: ListValue, equal: (a: Value, b: Value) => boolean): boolean
  /** The same for `==`, of lists whose items may not be comparable. */
  compared?(other: ListValue, equality: Equality): boolean | EvaluationError
  /** It is an error to ask whether it equals what is no list. */
  readonly comparedWithin?: true
  plus?(other: ListValue, equal: (a: Value, b: Value) => boolean): ListValue | EvaluationError
}

export abstract class MapValue {
  abstract readonly size: number
  /** @returns undefined if there is no such key */
  abstract find(key: Value): Value | undefined
  abstract keys(): readonly Value[]
  /** Objects of a schema say by themselves what is equal. */
  equals?(other: MapValue, equal: (a: Value, b: Value) => boolean): boolean
  /** The same for `==`, of objects whose members may not be comparable. */
  compared?(other: MapValue, equality: Equality): boolean | EvaluationError
  /** It is an error to ask whether it equals what is no map. */
  readonly comparedWithin?: true
}

/** A list of values that are there already. */
export class ArrayList extends ListValue {
  constructor(readonly items: readonly Value[]) {
    super()
  }

  get size(): number {
    return this.items.length
  }

  at(index: number): Value {
    return this.items[index] as Value
  }
}

export const EMPTY_LIST = new ArrayList([])

/** Two lists one after the other, without a copy. */
export class JoinedList extends ListValue {
  readonly size: number
  private items: Value[] | undefined

  constructor(
    private readonly first: ListValue,
    private readonly second: ListValue,
  ) {
    super()
    this.size = first.size + second.size
  }

  at(index: number): Value {
    this.items ??= this.flat()
    return this.items[index] as Value
  }

  /** Without recursion, as loops join one item after the other. */
  private flat(): Value[] {
    const reversed: Value[] = []
    const rest: ListValue[] = [this]
    for (let list = rest.pop(); list !== undefined; list = rest.pop()) {
      if (list instanceof JoinedList && list.items === undefined) rest.push(list.first, list.second)
      else for (let index = list.size - 1; index >= 0; index--) reversed.push(list.at(index))
    }
    return reversed.reverse()
  }
}

/**
 * A map of values that are there already. `int` and `uint` are one kind of key; a `double` finds them, but they do not find one
 * (recorded: cel-equality).
 */
export class EntriesMap extends MapValue {
  private readonly byKey = new Map<unknown, [Value, Value]>()

  get size(): number {
    return this.byKey.size
  }

  find(key: Value): Value | undefined {
    const entry = this.byKey.get(keyOf(key))
    if (entry !== undefined || typeof key !== 'number' || !Number.isInteger(key)) return entry?.[1]
    return this.byKey.get(BigInt(key))?.[1]
  }

  keys(): Value[] {
    return Array.from(this.byKey.values(), ([key]) => key)
  }

  /** @returns whether the key was free; else nothing is done */
  add(key: Value, value: Value): boolean {
    if (this.byKey.has(keyOf(key))) return false
    this.set(key, value)
    return true
  }

  set(key: Value, value: Value): void {
    this.byKey.set(keyOf(key), [key, value])
  }
}

const keyOf = (key: Value): unknown => (key instanceof UInt ? key.value : key)

/** The name of a value's type, as messages and `type()` give it. */
export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type'
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return 'double'
    case 'string':
      return 'string'
    default:
      return typeNameOfObject(value)
  }
}

function typeNameOfObject(
  value: Exclude<Value, null | boolean | bigint | number | string>,
): string {
  if (value instanceof ListValue) return 'list'
  if (value instanceof MapValue) return 'map'
  if (value instanceof OpaqueValue) return value.typeName
  if (value instanceof UInt) return 'uint'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Duration) return 'google.protobuf.Duration'
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp'
  if (value instanceof TypeValue) return 'type'
  if (value instanceof OptionalValue) return 'optional_type'
  return 'error'
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/

/** Code points of a text. */
export function lengthOf(text: string): number {
  let length = text.length
  // Engines know of texts without such units that they have none: nothing is gone through.
  if (!PAIR.test(text)) return length
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(at + 1)
      if (next >= 0xdc00 && next < 0xe000) {
        length--
        at++
      }
    }
  }
  return length
}

/** The size of what has one; 1 for everything else: what costs are reckoned with. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return lengthOf(value)
  if (value instanceof ListValue || value instanceof MapValue) return value.size
  return value instanceof Uint8Array ? value.length : 1
}
