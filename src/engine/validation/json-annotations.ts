import { isJsonObject, type Json } from '../core/object'
import { goJsonError } from '../schema/json-reader'

const SHAPES = { list: (value: Json) => Array.isArray(value), object: isJsonObject }

/** @param type in messages: `[]core.Taint` */
export function jsonAnnotation(
  text: string,
  shape: keyof typeof SHAPES,
  type: string,
): { value: Json; problem?: undefined } | { value?: undefined; problem: string } {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return { problem: goJsonError(text) }
  }
  if (value === null) return { value: shape === 'list' ? [] : {} }
  if (SHAPES[shape](value)) return { value }
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return { problem: `json: cannot unmarshal ${found} into Go value of type ${type}` }
}
