/**
 * The equality that determines ownership of atomic values: that of structured-merge-diff on decoded
 * objects (`value.Equals` on reflect values).
 * | value | compared by | so that |
 * |---|---|---|
 * | list, with all its content | reflect.DeepEqual | an empty list or map differs from an absent
 * one, and an amount is as Go holds it |
 * | map or structure | its members | empty members do not count, and an amount is its canonical
 * text |
 */
import { isJsonObject } from '../core/object'
import { hasExplicitEmptyMember } from './explicit-empties'
import { areHeldCanonically } from './explicit-quantities'

/**
 * Whether a decoded value also equals the stored one before canonicalization drops empty members
 * and normalizes amounts.
 * @param value equal to the stored one as JSON
 */
export function isDecodedAsStored(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isHeldAsStored)
  return !isJsonObject(value) || Object.values(value).every(isDecodedAsStored)
}

function isHeldAsStored(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return (
    !hasExplicitEmptyMember(value) &&
    areHeldCanonically(value) &&
    Object.values(value).every(isHeldAsStored)
  )
}
