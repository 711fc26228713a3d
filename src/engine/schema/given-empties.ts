/**
 * Empty lists and maps that decoding leaves out. The stored form does not tell them from absent ones, but a few kinds do while they are
 * being written. Remembered by what held them, as long as that lives.
 */
import type { Json, JsonObject } from '../object'

const given = new WeakMap<object, Set<string>>()

export function rememberEmpty(holder: object, member: string): void {
  given.set(holder, (given.get(holder) ?? new Set()).add(member))
}

/** A default has taken its place. */
export const forgetEmpty = (holder: object, member: string): void =>
  void given.get(holder)?.delete(member)

export const wasGivenEmpty = (holder: object, member: string): boolean =>
  given.get(holder)?.has(member) === true

/** A list as it was given: an empty one, too. */
export const listAsGiven = <Holder extends object, Name extends keyof Holder & string>(
  holder: Holder,
  member: Name,
): Holder[Name] | [] | undefined =>
  holder[member] ?? (wasGivenEmpty(holder, member) ? [] : undefined)

/** What is made of a value has its lists and maps given as that had. */
export function copyGivenEmpties(from: object, to: object): void {
  const members = given.get(from)
  if (members) given.set(to, new Set(members))
}

/** Was any list or map in it given and empty, and is empty still? Defaults may have filled it. */
export function holdsEmpty(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  return hasEmptyMember(value) || Object.values(value).some(holdsEmpty)
}

/** The same of its own members. */
export function hasEmptyMember(holder: object): boolean {
  for (const member of given.get(holder) ?? [])
    if ((holder as JsonObject)[member] === undefined) return true
  return false
}
