/** cel-go, interpreter/attributes.go, `refQualify` and `applyQualifiers`. */
import { isJsonObject, type Json } from '../../core/object'
import { formatDouble } from '../../schema/go-number'
import { inIntRange } from '../values/arithmetic'
import { goTypeOf } from '../values/go-types'
import { JsonMap, memberOf, typeOfMember, valueIn } from '../values/json'
import {
  EvaluationError,
  innerValue,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  typeNameOf,
  UInt,
  type Value,
} from '../values/value'
import type { Frame } from './frame'

/** The value of an optional path. Other optional values have no fields. */
class PathOptional extends OptionalValue {
  static readonly absent = new PathOptional(undefined)

  static of(value: Value | undefined): PathOptional {
    return value === undefined ? PathOptional.absent : new PathOptional(value)
  }
}

export function startPath(value: Value): Value {
  if (!(value instanceof OptionalValue)) return value
  const inner = innerValue(value)
  const isOpened =
    inner instanceof OpaqueValue || inner instanceof MapValue || inner instanceof ListValue
  return PathOptional.of(isOpened ? inner.opened : inner)
}

export function endPath(value: Value): Value {
  if (!(value instanceof PathOptional)) return value
  return value.value === undefined ? OptionalValue.none : new OptionalValue(value.value)
}

/** Nothing was found, which ends the path. */
export const isAbsent = (value: Value): boolean =>
  value instanceof PathOptional && value.value === undefined

export const isOptionalPath = (value: Value): boolean => value instanceof PathOptional

function lookUp(container: Value, key: Value): Value | undefined {
  if (container instanceof MapValue) return container.find(key)
  if (!(container instanceof ListValue)) return undefined
  const index = indexOf(key)
  if (typeof index !== 'number') return index
  if (index < 0 || index >= container.size) return undefined
  return container.at(index)
}

export function hasField(container: Value, field: string): boolean | EvaluationError {
  if (container instanceof JsonMap) return memberOf(container.members, field) !== undefined
  const inner = container instanceof PathOptional ? container.value : container
  if (inner instanceof EvaluationError) return inner
  const found = inner === undefined ? undefined : lookUp(inner, field)
  return found instanceof EvaluationError ? found : found !== undefined
}

/** A missing key is an error. */
export function access(container: Value, key: Value): Value {
  if (container instanceof EvaluationError) return container
  if (container instanceof PathOptional) return optionalAccess(container, key)
  const found = lookUp(container, key)
  if (found !== undefined && container instanceof ListValue && container.isIntIndexed)
    return typeof key === 'bigint' || found instanceof EvaluationError
      ? found
      : new EvaluationError(
          container.isIntIndexed === 'value'
            ? `unsupported index: ${keyText(key)}`
            : `unsupported index type: ${goTypeOf(key)}`,
        )
  if (found !== undefined) return found
  return container instanceof ListValue
    ? new EvaluationError(`index out of bounds: ${keyText(key)}`)
    : noSuchKey(key)
}

export function optionalAccess(container: Value, key: Value): Value {
  const inner = container instanceof PathOptional ? container.value : container
  if (inner instanceof EvaluationError) return inner
  const found = inner === undefined ? undefined : lookUp(inner, key)
  return found instanceof EvaluationError ? found : PathOptional.of(found)
}

const noSuchKey = (key: Value): EvaluationError =>
  new EvaluationError(`no such key: ${keyText(key)}`)

export function isQualifier(key: Value): boolean {
  return (
    typeof key === 'string' ||
    typeof key === 'bigint' ||
    typeof key === 'number' ||
    typeof key === 'boolean' ||
    key instanceof UInt
  )
}

/** @param isNative from an object of the request, without conversion */
export function invalidQualifier(key: Value, isNative: boolean): string {
  return `invalid qualifier type: ${isNative ? nativeTypeOf(key) : goTypeOf(key)}`
}

function nativeTypeOf(value: Value): string {
  if (value === null) return '<nil>'
  if (value instanceof ListValue) return '[]interface {}'
  return value instanceof MapValue ? 'map[string]interface {}' : goTypeOf(value)
}

function indexOf(key: Value): number | EvaluationError {
  if (typeof key === 'bigint') return Number(key)
  if (typeof key !== 'number' && !(key instanceof UInt))
    return new EvaluationError(`unsupported index type '${typeNameOf(key)}' in list`)
  const index = key instanceof UInt ? Number(key.value) : key
  const isWhole =
    Number.isInteger(index) && inIntRange(key instanceof UInt ? key.value : BigInt(index))
  return isWhole ? index : new EvaluationError(`unsupported index value ${keyText(key)} in list`)
}

function keyText(key: Value): string {
  if (typeof key === 'number') return formatDouble(key)
  return key instanceof UInt ? String(key.value) : String(key)
}

/** A prefix of a list that the path shares with its continuations. */
export interface Fields {
  readonly names: string[]
  readonly count: number
}

export const NO_FIELDS: Fields = { names: [], count: 0 }

/** A path is continued at most once. */
export function withField({ names, count }: Fields, field: string): Fields {
  if (count === 0) return { names: [field], count: 1 }
  names.push(field)
  return { names, count: count + 1 }
}

/**
 * Each field costs one step. Members of JSON on the way do not become values.
 * @param more steps that the end of the path costs
 */
export function follow(
  frame: Frame,
  from: Value,
  { names, count }: Fields,
  isStart: boolean,
  more: 0 | 1,
): Value {
  let value = isStart && count > 0 ? startPath(from) : from
  let at = 0
  while (at < count) {
    if (value instanceof EvaluationError) break
    if (value instanceof JsonMap) {
      const start = at
      const { document } = value
      let holder = value.members
      let json: Json | undefined = holder
      let { type } = value
      while (at < count && isJsonObject(json)) {
        holder = json
        const name = names[at++] as string
        json = memberOf(holder, name)
        if (type !== undefined) type = typeOfMember(type, name)
      }
      frame.walk(at - start)
      const last = names[at - 1] as string
      value = json === undefined ? noSuchKey(last) : valueIn(holder, last, json, document, type)
    } else {
      if (isAbsent(value)) break
      const isOptional = isOptionalPath(value)
      value = access(value, names[at++] as string)
      if (!isOptional || !(isAbsent(value) || value instanceof EvaluationError)) frame.walk(1)
    }
  }
  frame.walk(more)
  return value
}
