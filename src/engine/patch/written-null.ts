/**
 * A `test` without a value fails on these, unlike on the document's: `lazyNode` of
 * gopkg.in/evanphx/json-patch.v4 v4.12.0.
 */
import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'

/** NaN makes it unequal to everything. */
export const WRITTEN_NULL: Json = Object.freeze({ '': Number.NaN })
/** An object without members in json-patch. */
export const COPIED_NULL: Json = Object.freeze({})

export const isWrittenNull = (value: Json): boolean =>
  value === WRITTEN_NULL || value === COPIED_NULL

export const plainNull = (value: Json): Json => (isWrittenNull(value) ? null : value)

/** @param opened all containers of written nulls */
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
