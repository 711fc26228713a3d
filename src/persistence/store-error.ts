import { entryOf } from '../engine/core/object'
import { FencedError } from '../engine/storage/storage'

/** A storage error, with advice for the user. */
export class StoreError extends Error {}

const ADVICE: Record<string, string> = {
  QuotaExceededError:
    'the browser has no room left for this site: delete objects, or export the cluster and reset it',
  DatabaseClosedError:
    'the stored data were removed, or another tab uses a newer version of this page: reload this one',
  InvalidStateError:
    'the browser does not allow storage here (private window, or site data are blocked): allow it for this site',
  MissingAPIError: 'this browser has no IndexedDB: nothing can be kept here',
  SecurityError: 'the browser blocks storage for this site: allow it in the site settings',
  UnknownError:
    'the stored data cannot be read: restart the browser; if that does not help, remove the data of this site',
}

/** Dexie wraps errors; the innermost name is specific. */
function names(error: unknown): string[] {
  const found: string[] = []
  for (
    let at = error as { name?: string; inner?: unknown } | undefined;
    at;
    at = at.inner as typeof at
  )
    if (at.name) found.push(at.name)
  return found
}

/** Adds advice; a `StoreError` stays unchanged. */
export function explained(error: unknown): Error {
  for (let at = error as { inner?: unknown } | undefined; at; at = at.inner as typeof at) {
    if (at instanceof FencedError || at instanceof StoreError) return at
  }
  const all = names(error)
  const advice = all.map((name) => entryOf(ADVICE, name)).find((text) => text !== undefined)
  const message = error instanceof Error ? error.message : String(error)
  return new StoreError(
    `the browser's storage failed (${all[0] ?? 'Error'}: ${message})${advice ? `; ${advice}` : ''}`,
  )
}
