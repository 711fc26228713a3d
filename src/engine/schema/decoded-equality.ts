/**
 * The equality that determines ownership of atomic values (structured-merge-diff, `value.Equals` on
 * reflect values):
 *
 * | value | compared by | effect |
 * |---|---|---|
 * | list | reflect.DeepEqual | empty and absent lists and maps differ, amounts compare as Go holds them |
 * | map, structure | members | empty members do not count, amounts compare by canonical text |
 */
import { isJsonObject } from '../core/object'
import { hasExplicitEmptyMember } from './explicit-empties'
import { areHeldCanonically } from './explicit-quantities'

/**
 * Whether the value also equals the stored one before canonicalization drops empty members.
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
