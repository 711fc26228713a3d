/**
 * Empty lists and maps that decoding omits. The stored form does not distinguish them from absent
 * ones, but a few kinds do during a write.
 */
import type { Json, JsonObject } from '../core/object'
import { changedForm, writtenForm } from './written-form'

export function recordExplicitEmpty(holder: object, member: string): void {
  const form = changedForm(holder)
  form.empties ??= new Set()
  form.empties.add(member)
}

/** A default has taken its place. */
export const deleteExplicitEmpty = (holder: object, member: string): void =>
  void writtenForm(holder)?.empties?.delete(member)

export const isExplicitEmpty = (holder: object, member: string): boolean =>
  writtenForm(holder)?.empties?.has(member) === true

/** A list as it was given: an empty one, too. */
export const explicitList = <Holder extends object, Name extends keyof Holder & string>(
  holder: Holder,
  member: Name,
): Holder[Name] | [] | undefined =>
  holder[member] ?? (isExplicitEmpty(holder, member) ? [] : undefined)

/** Copies the record from a value to one derived from it. */
export function copyExplicitEmpties(from: object, to: object): void {
  const members = writtenForm(from)?.empties
  if (members) changedForm(to).empties = new Set(members)
}

/** Was any list or map in it given and empty, and is empty still? Defaults may have filled it. */
export function containsExplicitEmpty(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  return hasExplicitEmptyMember(value) || Object.values(value).some(containsExplicitEmpty)
}

/** The same of its own members. */
export function hasExplicitEmptyMember(holder: object): boolean {
  for (const member of writtenForm(holder)?.empties ?? [])
    if ((holder as JsonObject)[member] === undefined) return true
  return false
}
