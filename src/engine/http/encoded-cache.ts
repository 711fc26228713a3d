/**
 * A bounded cache of encoded stored versions. Unbounded, it would take a third of all memory. The
 * oldest entries are evicted and encoded again on the next access, within microseconds.
 */
import type { StoredObject } from '../storage/storage'

const LIMIT_BYTES = 6 * 1024 * 1024
/**
 * With less room than this, the cache counts as full. An eviction frees about the size of the last
 * entry.
 */
const ROOM_BYTES = 256 * 1024

interface CacheEntry {
  stored: StoredObject
  length: number
}

/** About as many objects of 1 KB as the cache holds. */
const RECENT_ACCESSES = 4096

let accesses = 0

/** Oldest first; those before `first` are evicted. */
let entries: CacheEntry[] = []
let first = 0
let total = 0

/**
 * Releases the objects of a server that closes. Other servers of this process encode theirs again
 * on the next access.
 */
export function clearEncodedCache(): void {
  for (let i = first; i < entries.length; i++) (entries[i] as CacheEntry).stored.encoded = undefined
  entries = []
  first = total = 0
}

/**
 * Whether a version is worth caching: there is room, or the last access is recent. Otherwise a scan
 * over more objects than fit would evict each entry before its next access.
 */
export function shouldCache(stored: StoredObject): boolean {
  const before = stored.lastAccess
  stored.lastAccess = ++accesses
  return total < LIMIT_BYTES - ROOM_BYTES || (before > 0 && accesses - before <= RECENT_ACCESSES)
}

/**
 * @param form identifies the version and media type that the bytes show
 * @param mayReplace whether to evict others: a list larger than the cache would evict all of it,
 *   and itself
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
