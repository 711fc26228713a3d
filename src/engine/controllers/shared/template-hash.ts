/** A short text that stands for a pod template: equal templates have equal ones. Its signs are those of generated names. */
import type { Json, JsonObject } from '../../object'

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** @param collisions how often the hash met another object under its name */
export function templateHash(template: unknown, collisions?: number): string {
  let hash = fnv(canonicalText(template as Json))
  if (collisions !== undefined) hash = fnv(String(collisions), hash)
  return spelled(hash)
}

/** The same for what a controller revision keeps: the digest that the real server takes of it (recorded: cluster-statefulsets). */
export function revisionHash(data: unknown, collisions: number | undefined): string {
  const text = canonicalText(data as Json).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text + (collisions ?? ''))) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0
  return spelled(hash)
}

const spelled = (hash: number): string => [...String(hash)].map((digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('')

/** FNV-1a, 32 bits. */
function fnv(text: string, from = 0x811c9dc5): number {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

/** JSON with members in alphabetical order, so that their order does not count. */
export function canonicalText(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalText((value as JsonObject)[name])}`).join(',')}}`
}
