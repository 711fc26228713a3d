/** Changes by revision, as far as they are stored. */
import { largest } from '../../engine/core/lists'
import type { KubeObject } from '../../engine/core/object'
import type { Storage, StorageEvent } from '../../engine/storage/storage'
import type { Change, Timeline } from './channel'

/** @param after the latest known revision; compacted changes are omitted */
export function timelineOf(storage: Storage, after: number): Timeline {
  const [oldest, newest] = [storage.compactRevision(), storage.currentRevision()]
  const changes: Change[] = []
  if (after <= newest) {
    // A watch delivers past events synchronously, and is stopped before later ones.
    const sink = { event: (event: StorageEvent) => void changes.push(changeOf(event)), end() {} }
    storage.watch('/registry/', Math.max(after, oldest), sink).stop()
  }
  return { oldest, newest, changes }
}

/**
 * @returns the kinds with changes after a revision; undefined if it is compacted or in the future
 */
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

/** @returns the change as the page sees it */
export function changeOf({ type, revision, current: { object } }: StorageEvent): Change {
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

/** Time of the last write according to the object's metadata. */
function timeOf({ metadata }: KubeObject): number | undefined {
  const times = (metadata.managedFields ?? []).map(({ time }) => Date.parse(String(time ?? '')))
  const known = [Date.parse(metadata.creationTimestamp ?? ''), ...times].filter(
    (time) => !Number.isNaN(time),
  )
  return known.length === 0 ? undefined : largest(known)
}
