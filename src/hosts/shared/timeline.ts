/** What changed when, as far as the store stores: for going back to a moment. */
import { largest } from '../../engine/lists'
import type { KubeObject } from '../../engine/object'
import type { Storage, StorageEvent } from '../../engine/storage/storage'
import type { Change, Timeline } from './channel'

/** @param after the newest revision that is known already; what is discarded is left out */
export function timelineOf(storage: Storage, after: number): Timeline {
  const [oldest, newest] = [storage.compactRevision(), storage.currentRevision()]
  const changes: Change[] = []
  if (after <= newest) {
    // A watch tells at once of what has happened; of what is yet to come no one asks.
    const sink = { event: (event: StorageEvent) => void changes.push(changeOf(event)), end() {} }
    storage.watch('/registry/', Math.max(after, oldest), sink).stop()
  }
  return { oldest, newest, changes }
}

/** @returns the kinds of which something was written behind a revision; undefined: that is discarded, or yet to come */
export function kindsWritten(storage: Storage, after: number): string[] | undefined {
  if (after < storage.compactRevision() || after > storage.currentRevision()) return undefined
  const kinds = new Set<string>()
  storage
    .watch('/registry/', after, {
      event: ({ current }) => void kinds.add(current.object.kind),
      end() {},
    })
    .stop()
  return [...kinds]
}

function changeOf({ type, revision, current: { object } }: StorageEvent): Change {
  const { kind, metadata } = object
  return {
    revision,
    type,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    at: timeOf(object),
  }
}

/** When an object was written last, as it tells. */
function timeOf({ metadata }: KubeObject): number | undefined {
  const times = (metadata.managedFields ?? []).map(({ time }) => Date.parse(String(time ?? '')))
  const known = [Date.parse(metadata.creationTimestamp ?? ''), ...times].filter(
    (time) => !Number.isNaN(time),
  )
  return known.length === 0 ? undefined : largest(known)
}
