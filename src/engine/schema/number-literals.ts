/** Literals that a JavaScript number does not preserve: beyond 2^53, and integers such as `1e3`. */
import type { DocumentDetails } from './json-parser'
import { changedForm, writtenForm } from './written-form'

export function recordNumberLiterals(details: DocumentDetails | undefined): void {
  for (const [holder, literals] of details?.literals ?? []) changedForm(holder).literals = literals
}

export function copyNumberLiterals(from: object, to: object): void {
  const literals = writtenForm(from)?.literals
  if (literals !== undefined) changedForm(to).literals = literals
}

export const numberLiteral = (holder: object, place: string | number): string | undefined =>
  writtenForm(holder)?.literals?.get(place)

const MAX_INT64 = 2n ** 63n - 1n

/** Otherwise kube-apiserver holds a float. @param literal as written, if known */
export function isInt64(value: number, literal: string | undefined): boolean {
  return (literal === undefined || /^-?\d+$/.test(literal)) && isWhole(value, literal)
}

/** Whether kube-apiserver takes the number for an integer. @param literal as written, if known */
export function isWhole(value: number, literal: string | undefined): boolean {
  if (!Number.isInteger(value)) return false
  if (literal === undefined) return Math.abs(value) <= 2 ** 63
  if (!/^-?\d+$/.test(literal)) return Number.isSafeInteger(value)
  const whole = BigInt(literal)
  return whole <= MAX_INT64 && whole >= -MAX_INT64 - 1n
}
