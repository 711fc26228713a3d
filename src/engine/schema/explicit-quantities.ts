/**
 * Quantities as written. Decoding makes them canonical, but kube-apiserver's messages print the
 * original notation (`1.5` and `1500m` are equal). Only maps with such quantities are recorded, in
 * a WeakMap.
 */
import { entryOf, type JsonObject } from '../core/object'
import { type Notation, notationOf } from './quantity'

const explicitQuantities = new WeakMap<object, Map<string, string>>()
/**
 * Amounts that rounding changed, as plain decimal numbers: kube-apiserver has no cached text of
 * them.
 */
const rounded = new WeakMap<object, Map<string, string>>()

/** Records the text of one amount that decoding changed. */
export function recordExplicitQuantity(holder: object, name: string, text: string): void {
  const texts = explicitQuantities.get(holder) ?? new Map<string, string>()
  explicitQuantities.set(holder, texts.set(name, text))
}

/** Records the texts that decoding changed; `null` is skipped. */
export function recordExplicitQuantities(decoded: JsonObject, written: JsonObject): void {
  for (const key in decoded) {
    if (decoded[key] === written[key] || written[key] === null) continue
    const texts = explicitQuantities.get(decoded) ?? new Map<string, string>()
    explicitQuantities.set(decoded, texts.set(key, String(written[key]).trim()))
  }
}

/** The text of an amount as it was given, or rounded; the canonical one if that is not known. */
export function explicitQuantity(amounts: Record<string, string>, name: string): string {
  return (
    rounded.get(amounts)?.get(name) ??
    explicitQuantities.get(amounts)?.get(name) ??
    (entryOf(amounts, name) as string)
  )
}

/**
 * Whether Go holds all amounts of a map exactly like their canonical texts: the same digits,
 * exponent, format and cached text. `8192Ki` is held like `8Mi`. `1024Mi` is not held like `1Gi`,
 * whose text is cached.
 */
export function areHeldCanonically(amounts: object): boolean {
  if ((rounded.get(amounts)?.size ?? 0) > 0) return false
  for (const [name, text] of explicitQuantities.get(amounts) ?? []) {
    const canonical = entryOf(amounts as JsonObject, name)
    if (typeof canonical === 'string' && !isHeldAlike(notationOf(text), notationOf(canonical)))
      return false
  }
  return true
}

function isHeldAlike(a: Notation, b: Notation): boolean {
  if (a.plain === undefined || b.plain === undefined) return false
  return (
    a.plain.value === b.plain.value &&
    a.plain.scale === b.plain.scale &&
    a.text === b.text &&
    a.format === b.format
  )
}

/** An amount that was rounded is no longer what was given. @param decimal what it is now */
export function recordRounded(amounts: object, name: string, decimal: string): void {
  explicitQuantities.get(amounts)?.delete(name)
  const texts = rounded.get(amounts) ?? new Map<string, string>()
  rounded.set(amounts, texts.set(name, decimal))
}

/** An amount that is taken over into another map was given there as here. */
export function copyExplicitQuantity(from: object, to: object, name: string): void {
  const text = explicitQuantities.get(from)?.get(name)
  if (text === undefined) return
  const texts = explicitQuantities.get(to) ?? new Map<string, string>()
  explicitQuantities.set(to, texts.set(name, text))
}
