/** The store takes objects of about 1.5 MiB; what is larger is refused in its words (document 1, "Limits"; recorded). */
import { serverError } from '../http/status'
import type { KubeObject } from '../object'

const MAX_STORED_BYTES = 1.5 * 1024 * 1024
/** Below this many characters no object can exceed the limit, so nothing needs to be measured. */
const CERTAINLY_SMALL = 100_000

export function checkStoredSize(object: KubeObject): void {
  if (roughSize(object, CERTAINLY_SMALL) < CERTAINLY_SMALL) return
  if (new TextEncoder().encode(JSON.stringify(object)).length > MAX_STORED_BYTES) throw serverError('etcdserver: request is too large')
}

/** Adds up string lengths until `enough` is reached. */
function roughSize(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  let size = 2
  for (const key in value) {
    size += key.length + roughSize((value as Record<string, unknown>)[key], enough - size)
    if (size >= enough) return size
  }
  return size
}
