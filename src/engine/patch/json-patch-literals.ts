/** json-patch compares the texts of numbers: `4` is not `4.0`. */
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import type { DocumentDetails } from '../schema/json-parser'
import { decoded } from './json-pointer'

/** By parent. An added number gets a new one; added objects still contain theirs. */
export function placedLiterals(
  { literals }: DocumentDetails,
  operations: readonly JsonObject[],
  patched: Json,
): DocumentDetails {
  const placed = new Map(literals)
  const own = new Set<Map<string | number, string>>()
  for (const operation of operations) {
    const literal = literals.get(operation)?.get('value')
    if (literal === undefined || typeof operation.path !== 'string') continue
    const parts = operation.path.split('/').slice(1).map(decoded)
    const last = parts.pop() ?? ''
    const holder = parts.reduce<Json | undefined>(
      (at, part) => (typeof at === 'object' && at !== null ? (at as JsonObject)[part] : undefined),
      patched,
    )
    if (typeof holder !== 'object' || holder === null) continue
    const place = !Array.isArray(holder) ? last : last === '-' ? holder.length - 1 : Number(last)
    if ((holder as JsonObject)[place] !== operation.value) continue
    const before = placed.get(holder)
    const places = before !== undefined && own.has(before) ? before : new Map(before)
    own.add(places)
    placed.set(holder, places.set(place, literal))
  }
  return { repeated: new Map(), literals: placed }
}

/** Whether all numbers are written as in the document. */
export function isWrittenPlainly(
  holder: JsonObject | Json[],
  name: string | number,
  details: DocumentDetails | undefined,
): boolean {
  if (details === undefined) return true
  if (details.literals.get(holder)?.has(name)) return false
  const value = (holder as JsonObject)[name]
  if (Array.isArray(value))
    return value.every((_item, index) => isWrittenPlainly(value, index, details))
  return (
    !isJsonObject(value) ||
    Object.keys(value).every((member) => isWrittenPlainly(value, member, details))
  )
}
