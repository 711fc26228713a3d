/**
 * The equality by which an atomic value changes its owner: that of structured-merge-diff on objects as they were decoded
 * (`value.Equals` on its reflect values, public).
 *
 * | value | compared by | so that |
 * |---|---|---|
 * | list, with everything in it | reflect.DeepEqual | an empty list or map is not an absent one, and an amount is how Go holds it |
 * | map or structure | its members | empty members do not count, and an amount is its canonical text |
 */
import { isJsonObject } from '../object'
import { hasExplicitEmptyMember } from './explicit-empties'
import { areHeldCanonically } from './explicit-quantities'

/**
 * Whether a value that was decoded is also equal to the stored one before empty members are dropped and amounts get their canonical
 * text.
 *
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
