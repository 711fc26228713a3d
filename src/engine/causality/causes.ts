/** The chain of writes that led to a write, back to one that no controller made. */
import type { Storage, StorageEvent } from '../storage/storage'
import { changeOf } from './change'
import { changedFields } from './changed-fields'
import type { Consequences, Step } from './consequences'
import type { ControllerWrite } from './controller-writes'
import { nameOf, subjectOf, Writers } from './writers'

interface Entry {
  event: StorageEvent
  write: ControllerWrite | undefined
  /** The causing revision; undefined for the first write. */
  cause: number | undefined
}

/** @returns steps up to `revision`, oldest first; incomplete if older history is compacted */
export function causesOf(
  storage: Storage,
  writes: readonly ControllerWrite[],
  revision: number,
): Consequences {
  const [oldest, newest] = [storage.compactRevision(), storage.currentRevision()]
  const entries = entriesUpTo(storage, writes, revision)
  const steps: Step[] = []
  let at: number | undefined = revision
  while (at !== undefined) {
    const entry = entries.get(at)
    if (entry === undefined) break
    const { event, write, cause } = entry
    steps.push({
      ...changeOf(event),
      by: write?.user,
      cause,
      object: event.current.object,
      fields: changedFields(event),
    })
    at = cause
  }
  const complete = at === undefined && revision > oldest && steps.length > 0
  return { complete, newest, steps: steps.reverse(), truncated: false }
}

/** Causes are earlier revisions, so chains end. */
function entriesUpTo(
  storage: Storage,
  writes: readonly ControllerWrite[],
  revision: number,
): Map<number, Entry> {
  const writers = new Writers(writes)
  const entries = new Map<number, Entry>()
  /** Last revision of each object so far. */
  const objects = new Map<string, number>()
  const look = (event: StorageEvent): void => {
    if (event.revision > revision) return
    const change = changeOf(event)
    const write = writers.of(change)
    const cause =
      write &&
      (write.causes.findLast((earlier) => earlier < event.revision) ??
        objects.get(subjectOf(event.current.object)))
    entries.set(event.revision, { event, write, cause })
    objects.set(nameOf(change), event.revision)
  }
  const after = storage.compactRevision()
  // A watch delivers past events synchronously; stopping it skips later ones.
  if (after < revision) storage.watch('/registry/', after, { event: look, end() {} }).stop()
  return entries
}

/** @returns undefined if the history has no write of a user */
export function lastWriteOfUser(
  storage: Storage,
  writes: readonly ControllerWrite[],
): number | undefined {
  const writers = new Writers(writes)
  let last: number | undefined
  const look = (event: StorageEvent): void => {
    const change = changeOf(event)
    if (writers.of(change) === undefined && !RENEWED.has(change.kind)) last = event.revision
  }
  const after = storage.compactRevision()
  if (after < storage.currentRevision())
    storage.watch('/registry/', after, { event: look, end() {} }).stop()
  return last
}

const RENEWED: ReadonlySet<string> = new Set(['Lease', 'Event'])
