import { type Change, changeOf } from '../../engine/causality/change'
import type { Storage, StorageEvent } from '../../engine/storage/storage'
import type { Timeline } from './channel'

/** @param after the latest known revision; compacted changes are omitted */
export function timelineOf(storage: Storage, after: number): Timeline {
  const [oldest, newest] = [storage.compactRevision(), storage.currentRevision()]
  const changes: Change[] = []
  if (after <= newest) {
    // A watch delivers past events synchronously; it is stopped before later ones.
    const sink = { event: (event: StorageEvent) => void changes.push(changeOf(event)), end() {} }
    storage.watch('/registry/', Math.max(after, oldest), sink).stop()
  }
  return { oldest, newest, changes }
}

/** @returns undefined if the revision is compacted or in the future */
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
