/** Quantities as written: messages print `1.5`, whose canonical form is `1500m`. */
import { entryOf, type JsonObject } from '../core/object'
import { type Notation, notationOf } from './quantity'
import { changedForm, writtenForm } from './written-form'

export function recordExplicitQuantity(holder: object, name: string, text: string): void {
  const form = changedForm(holder)
  form.quantities ??= new Map()
  form.quantities.set(name, text)
}

export function recordExplicitQuantities(decoded: JsonObject, written: JsonObject): void {
  for (const key in decoded) {
    if (decoded[key] === written[key] || written[key] === null) continue
    recordExplicitQuantity(decoded, key, String(written[key]).trim())
  }
}

/** As given or rounded, or else canonical. */
export function explicitQuantity(amounts: Record<string, string>, name: string): string {
  const form = writtenForm(amounts)
  return (
    form?.rounded?.get(name) ?? form?.quantities?.get(name) ?? (entryOf(amounts, name) as string)
  )
}

/**
 * Same digits, exponent, format and cached text in Go. `8192Ki` is held like `8Mi`, but `1024Mi`
 * not like `1Gi`, whose text is cached.
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

/** A rounded amount has no cached text. @param decimal as a plain decimal number */
export function recordRounded(amounts: object, name: string, decimal: string): void {
  const form = changedForm(amounts)
  form.quantities?.delete(name)
  form.rounded ??= new Map()
  form.rounded.set(name, decimal)
}

export function copyExplicitQuantity(from: object, to: object, name: string): void {
  const text = writtenForm(from)?.quantities?.get(name)
  if (text !== undefined) recordExplicitQuantity(to, name, text)
}
