/**
 * Numbers of custom resources as they were written, where a JavaScript number says less: beyond 2^53, and whole numbers in the
 * notation of others (`1e3`). Remembered by what holds them, as long as that lives.
 */
import type { DocumentDetails } from './json-parser'

const numberLiterals = new WeakMap<object, Map<string | number, string>>()

export function recordNumberLiterals(details: DocumentDetails | undefined): void {
  for (const [holder, literals] of details?.literals ?? []) numberLiterals.set(holder, literals)
}

/** What a copy holds was given as in its original. */
export function copyNumberLiterals(from: object, to: object): void {
  const literals = numberLiterals.get(from)
  if (literals !== undefined) numberLiterals.set(to, literals)
}

/** @returns undefined if the number prints as it was written */
export function numberLiteral(holder: object, place: string | number): string | undefined {
  return numberLiterals.get(holder)?.get(place)
}

const MAX_INT64 = 2n ** 63n - 1n

/** Does a server that holds whole numbers of 64 bits apart from floats hold it as one of those? @param literal as it was written, if known */
export function isInt64(value: number, literal: string | undefined): boolean {
  return (literal === undefined || /^-?\d+$/.test(literal)) && isWhole(value, literal)
}

/** Is a number a whole one to such a server, whichever way it holds it? @param literal as it was written, if known */
export function isWhole(value: number, literal: string | undefined): boolean {
  if (!Number.isInteger(value)) return false
  if (literal === undefined) return Math.abs(value) <= 2 ** 63
  if (!/^-?\d+$/.test(literal)) return Number.isSafeInteger(value)
  const whole = BigInt(literal)
  return whole <= MAX_INT64 && whole >= -MAX_INT64 - 1n
}
