/** Fields, keys and indices: what is found in a value, and what is told when it is not (recorded: policy-cel-types). */
import { isJsonObject, type Json } from '../../object'
import { formatDouble } from '../../schema/go-number'
import { inIntRange } from '../values/arithmetic'
import { JsonMap, memberOf, valueOfJson } from '../values/json'
import {
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  typeNameOf,
  UInt,
  type Value,
} from '../values/value'
import type { Frame } from './frame'

/** @returns undefined if there is nothing of that name in it */
export function lookUp(container: Value, key: Value): Value | undefined {
  if (container instanceof EvaluationError) return container
  if (container instanceof MapValue) return isKey(key) ? container.find(key) : unsupportedKey(key)
  if (container instanceof ListValue) {
    const index = indexOf(key)
    if (typeof index !== 'number') return index
    return index >= 0 && index < container.size ? container.at(index) : undefined
  }
  if (container instanceof OptionalValue) {
    if (container.value === undefined) return OptionalValue.none
    const found = lookUp(container.value, key)
    if (found === undefined)
      return hasParts(container.value) ? OptionalValue.none : access(container.value, key)
    return found instanceof EvaluationError ? found : new OptionalValue(found)
  }
  return undefined
}

const hasParts = (value: Value): boolean => value instanceof MapValue || value instanceof ListValue

/** An optional value that is missing: a path ends there, and what is not found by it takes no step. */
export const isAbsent = (value: Value): boolean =>
  value instanceof OptionalValue && value.value === undefined

/** Whether there is something of that name in it, for `has()`. */
export function holds(container: Value, field: string): boolean | EvaluationError {
  if (container instanceof JsonMap) return memberOf(container.members, field) !== undefined
  const inner = container instanceof OptionalValue ? container.value : container
  const found = inner === undefined ? undefined : lookUp(inner, field)
  return found instanceof EvaluationError ? found : found !== undefined
}

/** @returns an error if there is nothing of that name in it */
export function access(container: Value, key: Value): Value {
  const found = lookUp(container, key)
  if (found !== undefined) return found
  if (container instanceof ListValue)
    return new EvaluationError(`index out of bounds: ${keyText(key)}`)
  return container instanceof OpaqueValue ? new EvaluationError('no such overload') : noSuchKey(key)
}

const noSuchKey = (key: Value): EvaluationError =>
  new EvaluationError(`no such key: ${keyText(key)}`)

function isKey(key: Value): boolean {
  return (
    typeof key === 'string' ||
    typeof key === 'bigint' ||
    typeof key === 'number' ||
    typeof key === 'boolean' ||
    key instanceof UInt
  )
}

const unsupportedKey = (key: Value): EvaluationError =>
  new EvaluationError(`unsupported key type: ${typeNameOf(key)}`)

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

/**
 * Goes from a value along fields, each of which costs a step. As long as it goes through JSON, nothing on the way becomes a value.
 * @param more steps that whoever has come to the end takes
 */
export function follow(frame: Frame, from: Value, fields: readonly string[], more: 0 | 1): Value {
  let value = from
  let at = 0
  while (at < fields.length) {
    if (value instanceof EvaluationError) break
    if (value instanceof JsonMap) {
      const start = at
      const { document } = value
      let json: Json | undefined = value.members
      while (at < fields.length && isJsonObject(json)) json = memberOf(json, fields[at++] as string)
      frame.walk(at - start)
      value = json === undefined ? noSuchKey(fields[at - 1] as string) : valueOfJson(json, document)
    } else {
      if (isAbsent(value)) break
      value = access(value, fields[at++] as string)
      if (!isAbsent(value)) frame.walk(1)
    }
  }
  frame.walk(more)
  return value
}
