/**
 * Quantities as they were written. Decoding brings them into canonical form, but the real server's messages show how a number was
 * given (`1.5` and `1500m` are the same amount with other digits). Only maps that hold such a quantity are remembered, as long as
 * they live.
 */
import { entryOf, type JsonObject } from '../object'

const given = new WeakMap<object, Map<string, string>>()
/** Amounts that rounding changed, as plain decimal numbers: the real server has no text of them yet. */
const rounded = new WeakMap<object, Map<string, string>>()

/** Records the text of one amount that decoding changed. */
export function recordGiven(holder: object, name: string, text: string): void {
  const texts = given.get(holder) ?? new Map<string, string>()
  given.set(holder, texts.set(name, text))
}

/** Remembers the texts that decoding changed; `null` is no text. */
export function rememberGiven(decoded: JsonObject, written: JsonObject): void {
  for (const key in decoded) {
    if (decoded[key] === written[key] || written[key] === null) continue
    const texts = given.get(decoded) ?? new Map<string, string>()
    given.set(decoded, texts.set(key, String(written[key]).trim()))
  }
}

/** The text of an amount as it was given, or rounded; the canonical one if that is not known. */
export function givenQuantity(amounts: Record<string, string>, name: string): string {
  return rounded.get(amounts)?.get(name) ?? given.get(amounts)?.get(name) ?? (entryOf(amounts, name) as string)
}

/** Whether each amount in a value was given in its canonical text. */
export function isGivenCanonically(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const texts = given.get(value)
  if (texts !== undefined && texts.size > 0) return false
  return Object.values(value).every(isGivenCanonically)
}

/** An amount that was rounded is no longer what was given. @param decimal what it is now */
export function rememberRounded(amounts: object, name: string, decimal: string): void {
  given.get(amounts)?.delete(name)
  const texts = rounded.get(amounts) ?? new Map<string, string>()
  rounded.set(amounts, texts.set(name, decimal))
}

/** An amount that is taken over into another map was given there as here. */
export function copyGiven(from: object, to: object, name: string): void {
  const text = given.get(from)?.get(name)
  if (text === undefined) return
  const texts = given.get(to) ?? new Map<string, string>()
  given.set(to, texts.set(name, text))
}
