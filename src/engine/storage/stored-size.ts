/** Each version is measured once. */
import { memoizeByIdentity } from '../core/identity-memo'
import type { LocalSnapshot, StoredObject } from './storage'

const EVERYTHING = '/registry/'
const utf8 = new TextEncoder()

/** Bytes of JSON, without old versions. */
export function storedBytes(state: LocalSnapshot): number {
  let all = 0
  for (const stored of state.range(EVERYTHING)) all += sizeOf(stored)
  return all
}

const sizeOf = memoizeByIdentity(
  (stored: StoredObject) => utf8.encode(stored.text ?? JSON.stringify(stored.object)).length,
)
