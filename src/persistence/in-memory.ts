/** A store for a page inside a frame; it lives as long as the page. */
import { append } from '../engine/core/lists'
import type {
  CommitBatch,
  CommittedChange,
  RequestRecord,
  Snapshot,
} from '../engine/storage/backend'
import { FencedError } from '../engine/storage/storage'
import type { VersionId } from '../engine/storage/versions'
import type { PersistentStore } from './indexeddb'

/** Stores by name, for the lifetime of the page. */
export interface Stores {
  open(name: string): Promise<PersistentStore>
  remove(name: string): Promise<void>
}

const FRESH = 1

export function memoryStores(): Stores {
  const stores = new Map<string, PersistentStore>()
  return {
    async open(name) {
      const store = stores.get(name) ?? memoryStore()
      stores.set(name, store)
      return store
    },
    async remove(name) {
      stores.delete(name)
    },
  }
}

function memoryStore(): PersistentStore {
  let revision = FRESH
  let compacted = 0
  let changes: CommittedChange[] = []
  let requests: RequestRecord[] = []
  let settings: unknown
  let clock: unknown
  let snapshot: unknown
  return {
    async load(after = -1): Promise<Snapshot> {
      const complete = after < compacted || after > revision
      const newer = <Row extends { revision: number }>(rows: readonly Row[], than: number) =>
        rows.filter((row) => row.revision > than)
      return {
        revision,
        compacted,
        complete,
        changes: complete ? [...changes] : newer(changes, after),
        requests: newer(requests, complete ? compacted : after),
      }
    },
    async commit(batch: CommitBatch) {
      if (revision !== batch.from)
        throw new FencedError(`the store is at revision ${revision}, not at ${batch.from}`)
      append(changes, batch.changes)
      append(requests, batch.requests)
      revision = batch.to
    },
    async compact(upTo: number, versions: VersionId[]) {
      if (compacted >= upTo) return
      const gone = new Set(versions.map((version) => `${version.revision} ${version.key}`))
      changes = changes.filter((change) => !gone.has(`${change.revision} ${change.key}`))
      requests = requests.filter((record) => record.revision > upTo)
      compacted = upTo
    },
    async replace(objects) {
      revision++
      changes = objects.map(({ key, object }) => {
        revision++
        if (object) object.metadata.resourceVersion = String(revision)
        return { key, object, revision, createRevision: revision }
      })
      requests = []
      compacted = revision
    },
    settings: async () => settings,
    async saveSettings(value) {
      settings = structuredClone(value)
    },
    clock: async () => clock,
    async saveClock(value) {
      clock = structuredClone(value)
    },
    snapshot: async () => snapshot,
    async saveSnapshot(value) {
      snapshot = structuredClone(value)
    },
    damaged: () => [],
    close() {},
  }
}
