/**
 * Values of CEL: `int` is a bigint of 64 bits, `double` a number, `string` a string, `bytes` a
 * Uint8Array. Null and booleans are themselves, all other types are classes. An error is a value,
 * so that `&&` and `||` can absorb it.
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

export class EvaluationError {
  constructor(readonly message: string) {}
}

/** Thrown where cel-go panics: it ends the evaluation, and no operator absorbs it. */
export class Panic {
  constructor(readonly message: string) {}
}

/** Go slices, such as bytes, are not hashable. */
export const UNHASHABLE = new Panic('runtime error: hash of unhashable type types.Bytes')

/** An unsigned integer of 64 bits. */
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
    /** The offset of its notation in minutes east of UTC; comparisons ignore it. */
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

/** A value of a library type. */
export abstract class OpaqueValue {
  abstract readonly typeName: string
  /** The name of its Go type, which some messages of the API server contain. */
  abstract readonly goType: string
  /** Its size where costs are counted. */
  get size(): number {
    return 1
  }

  /** The value from which a path selects if this is the content of an optional value. */
  get opened(): Value {
    return this
  }

  /** The value as Go's `%v` prints it. */
  get goText(): string {
    return this.typeName
  }

  /** Returns undefined for a value of another type, and where values of the type cannot be compared. */
  equals(_other: Value): boolean | undefined {
    return undefined
  }
}

/** The error of a Go value that has no type in CEL. @param goType of the Go value */
export const unconvertible = (goType: string, { goText }: OpaqueValue): EvaluationError =>
  new EvaluationError(`unsupported conversion to ref.Val: (${goType})${goText}`)

/** Compares two values as `==` does. */
export type Equality = (a: Value, b: Value) => boolean | EvaluationError

export abstract class ListValue {
  readonly goType: string = '*types.baseList'
  /** Indices of other types of numbers than `int` are errors. */
  readonly isIntIndexed?: true
  abstract readonly size: number

  /** The list from which a path selects if this is the content of an optional value. */
  get opened(): Value {
    return this
  }

  abstract at(index: number): Value

  *[Symbol.iterator](): Generator<Value> {
    const { size } = this
    for (let index = 0; index < size; index++) yield this.at(index)
  }

  /** Reports whether the list contains a value; undefined if its items must be compared. */
  holds?(value: Value, equality: Equality): boolean | EvaluationError | undefined
  /** Compares lists that a schema describes: sets, maps, and lists whose items may not be comparable. */
  compared?(other: ListValue, equality: Equality): boolean | EvaluationError
  /** Comparing the list with a value that is not a list is an error. */
  readonly comparedWithin?: true
  plus?(other: ListValue, equal: (a: Value, b: Value) => boolean): ListValue | EvaluationError
}

export abstract class MapValue {
  readonly goType: string = '*types.baseMap'
  abstract readonly size: number

  /** The map from which a path selects if this is the content of an optional value. */
  get opened(): Value {
    return this
  }

  /** Returns undefined if there is no such key. */
  abstract find(key: Value): Value | undefined
  abstract keys(): readonly Value[]
  /** Compares objects that a schema describes, whose members may not be comparable. */
  compared?(other: MapValue, equality: Equality): boolean | EvaluationError
  /** Comparing the map with a value that is not a map is an error. */
  readonly comparedWithin?: true
}

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

/** The concatenation of two lists, without a copy. */
export class JoinedList extends ListValue {
  override readonly goType: string = '*types.concatList'
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

  /** Flattens without recursion, because loops build deep concatenations. */
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
 * A map of entries. `int` and `uint` are one type of key. A `double` finds them, but they do not
 * find a `double` (cel-equality).
 */
export class EntriesMap extends MapValue {
  private readonly byKey = new Map<unknown, [Value, Value]>()

  get size(): number {
    return this.byKey.size
  }

  find(key: Value): Value | undefined {
    if (key instanceof Uint8Array && this.size > 0) throw UNHASHABLE
    const entry = this.byKey.get(keyOf(key))
    if (entry !== undefined || typeof key !== 'number' || !Number.isInteger(key)) return entry?.[1]
    return this.byKey.get(BigInt(key))?.[1]
  }

  keys(): Value[] {
    return Array.from(this.byKey.values(), ([key]) => key)
  }

  /** Adds an entry. Returns false if the key exists. */
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

/** Returns the text inside a value that Go holds as a string: a type is its name. */
export function innerText(value: Value): string | undefined {
  const inner = innerValue(value)
  return inner instanceof TypeValue ? inner.name : typeof inner === 'string' ? inner : undefined
}

/** Returns what Go's `Value()` of an optional value is: the value inside. */
export function innerValue(value: Value): Value | undefined {
  return value instanceof OptionalValue
    ? value.value === undefined
      ? undefined
      : innerValue(value.value)
    : value
}

/** Returns the name of a type, as messages and `type()` print it. */
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

/** Returns the number of code points. */
export function lengthOf(text: string): number {
  let length = text.length
  // V8 knows which strings have no such units, so this test is cheap.
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

/** Returns the size that costs depend on; 1 for values without a size. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return lengthOf(value)
  if (value instanceof ListValue || value instanceof MapValue || value instanceof OpaqueValue)
    return value.size
  return value instanceof Uint8Array ? value.length : 1
}
