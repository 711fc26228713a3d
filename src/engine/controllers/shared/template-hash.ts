/**
 * The hash of a Pod template, in the alphabet of generated names
 * (k8s.io/apimachinery/pkg/util/rand).
 */
import type { Json, JsonObject } from '../../core/object'
import { templateDump } from './template-dump'

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/**
 * FNV-1a, 32 bits, recorded from kube-controller-manager 1.31.
 * @param collisions increases when another object has the name
 */
export function templateHash(template: unknown, collisions?: number): string {
  const hash = fnv(new TextEncoder().encode(templateDump((template ?? {}) as JsonObject)))
  return spelled(collisions === undefined ? hash : fnv(littleEndian(collisions), hash))
}

/** Eight bytes, the last four zero. */
function littleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/** FNV-1, 32 bits, recorded from kube-controller-manager 1.31. */
export function revisionHash(data: unknown, collisions: number | undefined): string {
  const text = canonicalText(data as Json).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text + (collisions ?? '')))
    hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0
  return spelled(hash)
}

const spelled = (hash: number): string =>
  [...String(hash)].map((digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('')

function fnv(bytes: Uint8Array, from = 0x811c9dc5): number {
  let hash = from
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}

/** Sorts members. */
export function canonicalText(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalText((value as JsonObject)[name])}`).join(',')}}`
}
