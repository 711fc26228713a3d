/**
 * Encoded forms of stored versions are kept ready, but only so many: beside their objects they would be a third of all memory. The
 * oldest give way, and are made again, within some microseconds, when somebody asks.
 */
import type { StoredObject } from '../storage/storage'

const LIMIT_BYTES = 6 * 1024 * 1024
/** With less room left than this it is full: those that gave way leave about as much as the last one needed. */
const ROOM_BYTES = 256 * 1024

interface Ready {
  stored: StoredObject
  length: number
}

/** So many asks are looked back on: about as many objects of 1 KB as there is room for. */
const RECENT_ASKS = 4096

let asks = 0

/** Oldest first; those before `first` have given way. */
let ready: Ready[] = []
let first = 0
let total = 0

/** For a server that ends, whose objects would be held for nobody. Others of this process make theirs anew when they are asked. */
export function forgetReady(): void {
  for (let i = first; i < ready.length; i++) (ready[i] as Ready).stored.encoded = undefined
  ready = []
  first = total = 0
}

/**
 * Whether what is asked for is worth keeping ready: there is room, or it was asked for not long ago. Among more objects than there is
 * room for each would otherwise push out another before its turn comes again, and be made anew, kept and let go every time.
 */
export function worthKeeping(stored: StoredObject): boolean {
  const before = stored.asked
  stored.asked = ++asks
  return total < LIMIT_BYTES - ROOM_BYTES || (before > 0 && asks - before <= RECENT_ASKS)
}

/**
 * @param form names what the bytes show
 * @param mayReplace whether others give way: a list of more than there is room for would push out all of it, and itself
 */
export function keepReady(
  stored: StoredObject,
  form: string,
  bytes: Uint8Array,
  mayReplace: boolean,
): void {
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
