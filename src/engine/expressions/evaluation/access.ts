/** Fields, keys and indices: what is found in a value, and what is told when it is not (recorded: policy-cel-types). */
import { EvaluationError, ListValue, MapValue, OpaqueValue, OptionalValue, typeNameOf, UInt, type Value } from '../values/value'

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
    if (found === undefined) return hasParts(container.value) ? OptionalValue.none : access(container.value, key)
    return found instanceof EvaluationError ? found : new OptionalValue(found)
  }
  return undefined
}

const hasParts = (value: Value): boolean => value instanceof MapValue || value instanceof ListValue

/** @returns an error if there is nothing of that name in it */
export function access(container: Value, key: Value): Value {
  const found = lookUp(container, key)
  if (found !== undefined) return found
  if (container instanceof ListValue) return new EvaluationError(`index out of bounds: ${keyText(key)}`)
  return new EvaluationError(container instanceof OpaqueValue ? 'no such overload' : `no such key: ${keyText(key)}`)
}

function isKey(key: Value): boolean {
  return typeof key === 'string' || typeof key === 'bigint' || typeof key === 'number' || typeof key === 'boolean' || key instanceof UInt
}

const unsupportedKey = (key: Value): EvaluationError => new EvaluationError(`unsupported key type: ${typeNameOf(key)}`)

function indexOf(key: Value): number | EvaluationError {
  if (typeof key === 'bigint') return Number(key)
  if (key instanceof UInt) return Number(key.value)
  if (typeof key !== 'number') return new EvaluationError(`unsupported index type '${typeNameOf(key)}' in list`)
  return Number.isInteger(key) ? key : new EvaluationError(`unsupported index value ${key} in list`)
}

function keyText(key: Value): string {
  return key instanceof UInt ? String(key.value) : String(key)
}
