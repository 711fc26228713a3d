/**
 * Quantities as written. Decoding makes them canonical, but kube-apiserver's messages print the
 * original notation (`1.5` and `1500m` are equal).
 */
import { entryOf, type JsonObject } from '../core/object'
import { type Notation, notationOf } from './quantity'
import { changedForm, writtenForm } from './written-form'

/** Records the text of one amount that decoding changed. */
export function recordExplicitQuantity(holder: object, name: string, text: string): void {
  const form = changedForm(holder)
  form.quantities ??= new Map()
  form.quantities.set(name, text)
}

/** Records the texts that decoding changed; `null` is skipped. */
export function recordExplicitQuantities(decoded: JsonObject, written: JsonObject): void {
  for (const key in decoded) {
    if (decoded[key] === written[key] || written[key] === null) continue
    recordExplicitQuantity(decoded, key, String(written[key]).trim())
  }
}

/** The text of an amount as it was given, or rounded; the canonical one if that is not known. */
export function explicitQuantity(amounts: Record<string, string>, name: string): string {
  const form = writtenForm(amounts)
  return (
    form?.rounded?.get(name) ?? form?.quantities?.get(name) ?? (entryOf(amounts, name) as string)
  )
}

/**
 * Whether Go holds all amounts of a map exactly like their canonical texts: the same digits,
 * exponent, format and cached text. `8192Ki` is held like `8Mi`. `1024Mi` is not held like `1Gi`,
 * whose text is cached.
 */
export function areHeldCanonically(amounts: object): boolean {
  const { rounded, quantities } = writtenForm(amounts) ?? {}
  if (rounded !== undefined) return false
  for (const [name, text] of quantities ?? []) {
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

/**
 * An amount that was rounded is no longer what was given; kube-apiserver has no cached text of it.
 * @param decimal the rounded amount as a plain decimal number
 */
export function recordRounded(amounts: object, name: string, decimal: string): void {
  const form = changedForm(amounts)
  form.quantities?.delete(name)
  form.rounded ??= new Map()
  form.rounded.set(name, decimal)
}

/** An amount that is taken over into another map was given there as here. */
export function copyExplicitQuantity(from: object, to: object, name: string): void {
  const text = writtenForm(from)?.quantities?.get(name)
  if (text !== undefined) recordExplicitQuantity(to, name, text)
}
