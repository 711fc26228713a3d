/**
 * The durable half of the store in a browser: objects, the revision and an epoch in IndexedDB, through Dexie.
 *
 * Opening the store raises the epoch, and every commit checks it in the same transaction: an engine that another one has
 * overtaken (an update, a second worker) is refused, discards what it knows and reads again.
 */
import Dexie, { type Table } from 'dexie'
import type { KubeObject } from '../engine/object'
import type { CommitBackend, CommittedChange, Snapshot } from '../engine/storage/memory'
import { FencedError } from '../engine/storage/storage'

interface ObjectRow {
  key: string
  revision: number
  createRevision: number
  object: KubeObject
}

interface MetaRow {
  name: 'revision' | 'epoch'
  value: number
}

class Database extends Dexie {
  declare objects: Table<ObjectRow, string>
  declare meta: Table<MetaRow, string>

  constructor(name: string, indexedDB?: IDBFactory) {
    // Relaxed: a commit is in the operating system's hands when it is acknowledged, which survives the death of the browser.
    super(name, { chromeTransactionDurability: 'relaxed', ...(indexedDB ? { indexedDB } : {}) })
    this.version(1).stores({ objects: '&key', meta: '&name' })
  }
}

export interface PersistentStore extends CommitBackend {
  /** Replaces everything, keeping the revision moving forward. */
  replace(objects: Omit<ObjectRow, 'revision' | 'createRevision'>[]): Promise<void>
  close(): void
}

/** What went wrong with the browser's storage and what one can do about it. */
export class StoreError extends Error {}

/** @throws StoreError when the browser does not let the database be used */
export async function openPersistentStore(name: string, indexedDB?: IDBFactory): Promise<PersistentStore> {
  const database = new Database(name, indexedDB)
  try {
    await database.open()
  } catch (error) {
    throw explained(error)
  }
  return new IndexedDbStore(database)
}

class IndexedDbStore implements PersistentStore {
  private epoch = 0

  constructor(private readonly database: Database) {
    // Another tab wants a newer layout: let go, so that it is not blocked; the next commit here fails and says so.
    database.on('versionchange', () => database.close())
  }

  async load(): Promise<Snapshot> {
    const { objects, meta } = this.database
    try {
      return await this.database.transaction('rw', objects, meta, async () => {
        this.epoch = ((await meta.get('epoch'))?.value ?? 0) + 1
        await meta.put({ name: 'epoch', value: this.epoch })
        const revision = (await meta.get('revision'))?.value ?? 0
        return { revision, objects: (await objects.toArray()).filter(isSound) }
      })
    } catch (error) {
      throw explained(error)
    }
  }

  async commit(changes: CommittedChange[], revision: number): Promise<void> {
    const { objects, meta } = this.database
    try {
      await this.database.transaction('rw', objects, meta, async () => {
        const current = (await meta.get('epoch'))?.value
        if (current !== this.epoch) throw new FencedError('another engine has taken over this store')
        // Only the last state of each key matters within one commit.
        const last = new Map(changes.map((change) => [change.key, change]))
        const put: ObjectRow[] = []
        const gone: string[] = []
        for (const { key, object, ...rest } of last.values()) {
          if (object === undefined) gone.push(key)
          else put.push({ key, object, ...rest })
        }
        await objects.bulkDelete(gone)
        await objects.bulkPut(put)
        await meta.put({ name: 'revision', value: revision })
      })
    } catch (error) {
      throw explained(error)
    }
  }

  async replace(rows: Omit<ObjectRow, 'revision' | 'createRevision'>[]): Promise<void> {
    const { objects, meta } = this.database
    try {
      await this.database.transaction('rw', objects, meta, async () => {
        // A new epoch and a higher revision: no engine or watcher mistakes the new state for a continuation of the old.
        const epoch = ((await meta.get('epoch'))?.value ?? 0) + 1
        let revision = ((await meta.get('revision'))?.value ?? 0) + 1
        await objects.clear()
        await objects.bulkPut(rows.map(({ key, object }) => ({ key, object, revision: ++revision, createRevision: revision })))
        await meta.bulkPut([
          { name: 'epoch', value: epoch },
          { name: 'revision', value: revision },
        ])
      })
    } catch (error) {
      throw explained(error)
    }
  }

  close(): void {
    this.database.close()
  }
}

/** A record that lost its shape is left out rather than taking the whole store down with it. */
function isSound(row: Partial<ObjectRow>): row is ObjectRow {
  const sound = typeof row.key === 'string' && typeof row.revision === 'number' && typeof row.object?.metadata === 'object'
  if (!sound) console.error('[kubetab] a stored record is damaged and was left out', row.key)
  return sound
}

const ADVICE: Record<string, string> = {
  QuotaExceededError: 'the browser has no room left for this site: delete objects, or export the cluster and reset it',
  DatabaseClosedError: 'another tab uses a newer version of this page: reload this one',
  VersionError: 'this page is older than the stored data: reload it',
  InvalidStateError: 'the browser does not allow storage here (private window, or site data are blocked): allow it for this site',
  MissingAPIError: 'this browser has no IndexedDB: nothing can be kept here',
  SecurityError: 'the browser blocks storage for this site: allow it in the site settings',
}

function explained(error: unknown): Error {
  if (error instanceof FencedError) return error
  const cause = error as { name?: string; message?: string; inner?: Error }
  if (cause.inner instanceof FencedError) return cause.inner
  const advice = ADVICE[cause.name ?? ''] ?? ADVICE[cause.inner?.name ?? '']
  return new StoreError(`the browser's storage failed (${cause.name ?? 'Error'}: ${cause.message ?? ''})${advice ? `; ${advice}` : ''}`)
}
