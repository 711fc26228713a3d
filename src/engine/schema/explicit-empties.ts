/**
 * Empty lists and maps that decoding omits, which a few kinds distinguish from absent ones during a
 * write.
 */
import type { Json, JsonObject } from '../core/object'
import { changedForm, writtenForm } from './written-form'

export function recordExplicitEmpty(holder: object, member: string): void {
  const form = changedForm(holder)
  form.empties ??= new Set()
  form.empties.add(member)
}

/** For a default that has taken its place. */
export const deleteExplicitEmpty = (holder: object, member: string): void =>
  void writtenForm(holder)?.empties?.delete(member)

export const isExplicitEmpty = (holder: object, member: string): boolean =>
  writtenForm(holder)?.empties?.has(member) === true

/** Also a list that was given as empty. */
export const explicitList = <Holder extends object, Name extends keyof Holder & string>(
  holder: Holder,
  member: Name,
): Holder[Name] | [] | undefined =>
  holder[member] ?? (isExplicitEmpty(holder, member) ? [] : undefined)

export function copyExplicitEmpties(from: object, to: object): void {
  const members = writtenForm(from)?.empties
  if (members) changedForm(to).empties = new Set(members)
}

/** Whether any list or map was given as empty and is still; defaults may have filled it. */
export function containsExplicitEmpty(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  return hasExplicitEmptyMember(value) || Object.values(value).some(containsExplicitEmpty)
}

/** Own members only. */
export function hasExplicitEmptyMember(holder: object): boolean {
  for (const member of writtenForm(holder)?.empties ?? [])
    if ((holder as JsonObject)[member] === undefined) return true
  return false
}
