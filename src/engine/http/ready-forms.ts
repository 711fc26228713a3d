/**
 * Encoded forms of stored versions are kept ready, but only so many: beside their objects they would be a third of all memory. The
 * oldest give way, and are made again, within some microseconds, when somebody asks.
 */
import type { StoredObject } from '../storage/storage'

const LIMIT_BYTES = 6 * 1024 * 1024

interface Ready {
  stored: StoredObject
  length: number
}

/** Oldest first; those before `first` have given way. */
let ready: Ready[] = []
let first = 0
let total = 0

/**
 * @param form names what the bytes show
 * @param mayReplace whether others give way: a list of more than there is room for would push out all of it, and itself
 */
export function keepReady(stored: StoredObject, form: string, bytes: Uint8Array, mayReplace: boolean): void {
  const { length } = bytes
  if (total + length > LIMIT_BYTES && !mayReplace) return
  stored.encoded ??= new Map()
  stored.encoded.set(form, bytes)
  ready.push({ stored, length })
  total += length
  while (total > LIMIT_BYTES && first < ready.length - 1) {
    const oldest = ready[first++] as Ready
    oldest.stored.encoded = undefined
    total -= oldest.length
  }
  if (first > ready.length / 2) {
    ready = ready.slice(first)
    first = 0
  }
}
