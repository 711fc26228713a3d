/**
 * `int` is a 64-bit bigint, `double` a number, `bytes` a Uint8Array. Errors are values, so that
 * `&&` and `||` can absorb them.
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

/** Where cel-go panics: ends the evaluation, and no operator absorbs it. */
export class Panic {
  constructor(readonly message: string) {}
}

/** Go slices, such as bytes, are not hashable. */
export const UNHASHABLE = new Panic('runtime error: hash of unhashable type types.Bytes')

/** 64 bits. */
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
    /** Minutes east of UTC in its notation; comparisons ignore it. */
    readonly offset = 0,
  ) {}
}

/** `type(1)`, `int` */
export class TypeValue {
  constructor(readonly name: string) {}
}

export class OptionalValue {
  static readonly none = new OptionalValue(undefined)
  constructor(readonly value: Value | undefined) {}
}

export abstract class OpaqueValue {
  abstract readonly typeName: string
  abstract readonly goType: string
  /** The size by which operations are charged. */
  get size(): number {
    return 1
  }

  /** The value from which `optional.field` selects. */
  get opened(): Value {
    return this
  }

  /** As Go's `%v` prints it. */
  get goText(): string {
    return this.typeName
  }

  /** @returns undefined for values that cannot be compared */
  equals(_other: Value): boolean | undefined {
    return undefined
  }
}

/** A Go value without CEL type. */
export const unconvertible = (goType: string, { goText }: OpaqueValue): EvaluationError =>
  new EvaluationError(`unsupported conversion to ref.Val: (${goType})${goText}`)

export type Equality = (a: Value, b: Value) => boolean | EvaluationError

export abstract class ListValue {
  readonly goType: string = '*types.baseList'
  /** Rejects indices other than `int`, with an error that prints this of them. */
  readonly isIntIndexed?: 'value' | 'type'
  abstract readonly size: number

  /** See OpaqueValue. */
  get opened(): Value {
    return this
  }

  abstract at(index: number): Value

  *[Symbol.iterator](): Generator<Value> {
    const { size } = this
    for (let index = 0; index < size; index++) yield this.at(index)
  }

  /** undefined: the items must be compared. */
  holds?(value: Value, equality: Equality): boolean | EvaluationError | undefined
  /** For lists with a schema. */
  compared?(other: ListValue, equality: Equality): boolean | EvaluationError
  /** Comparing with another type is an error. */
  readonly comparedWithin?: true
  plus?(other: ListValue, equal: (a: Value, b: Value) => boolean): ListValue | EvaluationError
}

export abstract class MapValue {
  readonly goType: string = '*types.baseMap'
  abstract readonly size: number

  /** See OpaqueValue. */
  get opened(): Value {
    return this
  }

  abstract find(key: Value): Value | undefined
  abstract keys(): readonly Value[]
  /** For objects with a schema. */
  compared?(other: MapValue, equality: Equality): boolean | EvaluationError
  /** Comparing with another type is an error. */
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

  /** Not recursive: loops build deep concatenations. */
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
 * `int` and `uint` are one type of key. A `double` finds them, but they do not find a `double`
 * (cel-equality).
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

  /** @returns false if the key exists */
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

/** Text that Go holds as a string: for a type, its name. */
export function innerText(value: Value): string | undefined {
  const inner = innerValue(value)
  return inner instanceof TypeValue ? inner.name : typeof inner === 'string' ? inner : undefined
}

/** Go's `Value()`. */
export function innerValue(value: Value): Value | undefined {
  return value instanceof OptionalValue
    ? value.value === undefined
      ? undefined
      : innerValue(value.value)
    : value
}

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

/** In code points. */
export function lengthOf(text: string): number {
  let length = text.length
  // V8 knows which strings have only Latin-1 units.
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

/** The size by which operations are charged. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return lengthOf(value)
  if (value instanceof ListValue || value instanceof MapValue || value instanceof OpaqueValue)
    return value.size
  return value instanceof Uint8Array ? value.length : 1
}
