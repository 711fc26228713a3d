import type { Change, Guard, StoredObject } from './storage'
import { StoredVersion } from './stored-version'
import type { Write } from './versions'

type Head = (key: string) => StoredObject | undefined

export function firstFailed(guards: Guard[], head: Head): Guard | undefined {
  for (const guard of guards) if ((head(guard.key)?.revision ?? 0) !== guard.revision) return guard
  return undefined
}

/** @throws Error for a delete of an absent key, or two changes of one key */
export function draft(
  changes: Change[],
  revision: number,
  head: Head,
  author: string | undefined,
): Write[] {
  if (changes.length > 1 && new Set(changes.map((change) => change.key)).size < changes.length) {
    throw new Error('a transaction changes a key twice')
  }
  return changes.map((change) => {
    const { key } = change
    const current = head(key)
    if (change.type === 'put') {
      const { object } = change
      object.metadata.resourceVersion = String(revision)
      return {
        deleted: false,
        author,
        stored: new StoredVersion(key, object, revision, current?.createRevision ?? revision),
      }
    }
    if (current === undefined) throw new Error(`${key} is deleted though it does not exist`)
    return { deleted: true, author, stored: lastState(current, revision) }
  })
}

/** With the revision of the deletion. */
export function lastState(
  { key, object, createRevision }: StoredObject,
  revision: number,
): StoredObject {
  const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
  return new StoredVersion(key, last, revision, createRevision)
}
