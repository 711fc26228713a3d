/**
 * Encoded stored versions would take a third of all memory. Encoding an evicted one again takes
 * microseconds.
 */
import type { StoredObject } from '../storage/storage'

const LIMIT_BYTES = 6 * 1024 * 1024
/** With less room the cache counts as full. */
const ROOM_BYTES = 256 * 1024

interface CacheEntry {
  stored: StoredObject
  length: number
}

/** About as many objects of 1 KB as fit. */
const RECENT_ACCESSES = 4096

let accesses = 0

/** Oldest first; those before `first` are evicted. */
let entries: CacheEntry[] = []
let first = 0
let total = 0

export function clearEncodedCache(): void {
  for (let i = first; i < entries.length; i++) (entries[i] as CacheEntry).stored.encoded = undefined
  entries = []
  first = total = 0
}

/**
 * While there is room, or on the second recent access: otherwise a scan over more objects than fit
 * would evict each entry before its next access.
 */
export function shouldCache(stored: StoredObject): boolean {
  const before = stored.lastAccess
  stored.lastAccess = ++accesses
  return total < LIMIT_BYTES - ROOM_BYTES || (before > 0 && accesses - before <= RECENT_ACCESSES)
}

/**
 * @param form version and media type
 * @param mayReplace whether to evict others: false for a list, which could evict all and itself
 */
export function putEncoded(
  stored: StoredObject,
  form: string,
  bytes: Uint8Array,
  mayReplace: boolean,
): void {
  const { length } = bytes
  if (total + length > LIMIT_BYTES && !mayReplace) return
  stored.encoded ??= new Map()
  stored.encoded.set(form, bytes)
  entries.push({ stored, length })
  total += length
  while (total > LIMIT_BYTES && first < entries.length - 1) {
    const oldest = entries[first++] as CacheEntry
    oldest.stored.encoded = undefined
    total -= oldest.length
  }
  if (first > entries.length / 2) {
    entries = entries.slice(first)
    first = 0
  }
}
