/**
 * Nulls that a JSON Patch writes: a `test` without a value fails on them, unlike those of the
 * document, and containers with one equal no value. Source: `lazyNode` of
 * gopkg.in/evanphx/json-patch.v4 v4.12.0.
 */
import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'

/** Of an `add` or `replace`. NaN makes it unequal to every value. */
export const WRITTEN_NULL: Json = Object.freeze({ '': Number.NaN })
/** json-patch treats it as an object without members. */
export const COPIED_NULL: Json = Object.freeze({})

export const isWrittenNull = (value: Json): boolean =>
  value === WRITTEN_NULL || value === COPIED_NULL

export const plainNull = (value: Json): Json => (isWrittenNull(value) ? null : value)

/** @param opened every container that can hold a written null */
export function withPlainNulls(value: Json, opened: ReadonlySet<Json>): Json {
  if (isWrittenNull(value)) return null
  if (!opened.has(value)) return value
  if (Array.isArray(value)) return value.map((item) => withPlainNulls(item, opened))
  if (!isJsonObject(value)) return value
  const result: JsonObject = {}
  for (const [name, member] of Object.entries(value))
    setMember(result, name, withPlainNulls(member, opened))
  return result
}
