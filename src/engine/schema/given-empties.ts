/**
 * Empty lists that decoding leaves out. The stored form does not tell them from absent ones, but a few kinds do while they are
 * being written. Remembered by what held them, as long as that lives.
 */
import type { Json } from '../object'

const given = new WeakMap<object, Set<string>>()

export function rememberEmpty(holder: object, member: string): void {
  given.set(holder, (given.get(holder) ?? new Set()).add(member))
}

export const wasGivenEmpty = (holder: object, member: string): boolean => given.get(holder)?.has(member) === true

/** What is made of a value has its lists given as that had. */
export function copyGivenEmpties(from: object, to: object): void {
  const members = given.get(from)
  if (members) given.set(to, members)
}

/** Was any list in it given and empty? */
export function holdsEmpty(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (given.has(value)) return true
  return Object.values(value).some(holdsEmpty)
}
