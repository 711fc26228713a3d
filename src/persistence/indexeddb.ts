/**
 * The durable half of the store in a browser: a log of versions in IndexedDB, through Dexie.
 *
 * Every write reads the revision row in its own transaction and is refused unless it stands where the writer believes: an engine
 * that another one has overtaken (an update of the worker, a second tab with its own engine) can overwrite nothing. It reads what
 * is newer and judges its requests anew. A message tells the others of every commit, so that their readers and watchers follow.
 */
import Dexie, { type Table } from 'dexie'
import type { CommitBackend, CommitBatch, CommittedChange, RequestRecord, Snapshot } from '../engine/storage/backend'
import { FencedError } from '../engine/storage/storage'
import type { VersionId } from '../engine/storage/versions'
import { Company } from './company'
import { explained, StoreError } from './store-error'

interface MetaRow {
  name: 'revision' | 'compacted'
  value: number
}

/** Stands among the numbers: what was set of the engine, as its host understands it. */
interface SettingsRow {
  name: 'settings' | 'clock'
  value: unknown
}

/** What a database stands at that nobody has written to; a store begins at revision 1. */
const FRESH: Record<MetaRow['name'], number> = { revision: 1, compacted: 0 }

/** Version of the tables' layout. */
const LAYOUT = 1

class Database extends Dexie {
  declare versions: Table<CommittedChange, [number, string]>
  declare requests: Table<RequestRecord, string>
  declare meta: Table<MetaRow | SettingsRow, string>

  constructor(name: string) {
    // Never opened again by itself: an engine must not go on over data that were removed under it.
    // Relaxed: a commit is in the operating system's hands when it is acknowledged, which survives the death of the browser.
    super(name, { chromeTransactionDurability: 'relaxed', autoOpen: false })
    this.version(LAYOUT).stores({ versions: '[revision+key]', requests: '&id, revision', meta: '&name' })
  }
}

export interface PersistentStore extends CommitBackend {
  /** Replaces everything. The revision moves on, so that nobody mistakes the new state for a continuation of the old. */
  replace(objects: Pick<CommittedChange, 'key' | 'object'>[]): Promise<void>
  /** What was kept by `keepSettings`; undefined if nothing was. */
  settings(): Promise<unknown>
  keepSettings(settings: unknown): Promise<void>
  /** The same for the cluster's time, which changes without a restart. */
  clock(): Promise<unknown>
  keepClock(clock: unknown): Promise<void>
  /** What was left out of the last load because it had lost its shape. */
  damaged(): string[]
  close(): void
}

/**
 * @param name of the database; engines that open the same one share it
 * @throws StoreError when the browser does not let the database be used
 */
export async function openPersistentStore(name: string): Promise<PersistentStore> {
  const database = new Database(name)
  try {
    await new Promise<void>((resolve, reject) => {
      database.on('blocked', () => reject(new StoreError('another tab holds an older version of the stored data: close the other tabs')))
      database.open().then(() => resolve(), reject)
    })
    // Dexie opens a newer layout too, and counts versions by tens.
    if (database.backendDB().version > LAYOUT * 10) throw new StoreError('this page is older than the stored data: reload it')
  } catch (error) {
    database.close()
    throw explained(error)
  }
  return new IndexedDbStore(database)
}

/** Removes a database and all that is in it. Engines that have it open let go of it. @throws StoreError */
export async function removePersistentStore(name: string): Promise<void> {
  await Dexie.delete(name).catch((error: unknown) => {
    throw explained(error)
  })
}

class IndexedDbStore implements PersistentStore {
  private readonly news: BroadcastChannel
  private readonly company: Company
  private foreign: () => void = () => undefined
  private leftOut: string[] = []

  constructor(private readonly database: Database) {
    // Another tab brings a newer layout, or the data are being removed: let go, so that it is not blocked. The next commit here says so.
    database.on('versionchange', () => database.close())
    this.news = new BroadcastChannel(`${database.name}-commits`)
    this.company = new Company(
      (word) => this.news.postMessage(word),
      () => performance.now(),
    )
    this.news.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!this.company.hear(data)) this.foreign()
    }
    this.company.ask()
  }

  /** Only asked for where another engine may have written: it costs a read of the database. */
  current(): Promise<number> | undefined {
    return this.company.alone() ? undefined : this.within('r', () => this.number('revision'))
  }

  load(after = -1): Promise<Snapshot> {
    const { database } = this
    return this.within('r', async () => {
      const revision = await this.number('revision')
      const compacted = await this.number('compacted')
      // Ahead of what is stored: the data of this site were removed meanwhile.
      const complete = after < compacted || after > revision
      const rows = complete ? await this.allVersions() : await database.versions.where('[revision+key]').above(behind(after)).toArray()
      const requests = await database.requests
        .where('revision')
        .above(complete ? compacted : after)
        .toArray()
      return { revision, compacted, complete, changes: rows.filter((row) => this.isSound(row)), requests }
    })
  }

  /** All rows; one that the browser cannot read back is left out rather than taking the others with it. */
  private async allVersions(): Promise<CommittedChange[]> {
    const { versions } = this.database
    this.leftOut = []
    try {
      return await versions.toArray()
    } catch {
      const rows: CommittedChange[] = []
      for (const id of await versions.toCollection().primaryKeys()) {
        const row = await versions.get(id).catch(() => undefined)
        if (row) rows.push(row)
        else this.leftOut.push(id[1])
      }
      return rows
    }
  }

  private isSound(row: Partial<CommittedChange>): boolean {
    const { key, object, createRevision } = row
    const sound = typeof createRevision === 'number' && (object === undefined || typeof object?.metadata === 'object')
    if (!sound) this.leftOut.push(String(key))
    return sound
  }

  damaged(): string[] {
    return this.leftOut
  }

  async commit({ from, to, changes, requests }: CommitBatch): Promise<void> {
    const { database } = this
    await this.within('rw', async () => {
      const current = await this.number('revision')
      // A fresh database stands at 0 and a fresh store at 1: nobody has written to either.
      if (current !== from && !(current === 0 && from <= 1))
        throw new FencedError(`the store stands at revision ${current}, not at ${from}`)
      await database.versions.bulkAdd(changes)
      if (requests.length > 0) await database.requests.bulkPut(requests)
      await database.meta.put({ name: 'revision', value: to })
    })
    this.news.postMessage(to)
  }

  async compact(revision: number, versions: VersionId[]): Promise<void> {
    const { database } = this
    await this.within('rw', async () => {
      if ((await this.number('compacted')) >= revision) return
      await database.versions.bulkDelete(versions.map((version) => [version.revision, version.key]))
      await database.requests.where('revision').belowOrEqual(revision).delete()
      await database.meta.put({ name: 'compacted', value: revision })
    })
  }

  async replace(objects: Pick<CommittedChange, 'key' | 'object'>[]): Promise<void> {
    const { database } = this
    await this.within('rw', async () => {
      let revision = (await this.number('revision')) + 1
      const rows = objects.map(({ key, object }) => ({ key, object, revision: ++revision, createRevision: revision }))
      for (const { object, revision: own } of rows) if (object) object.metadata.resourceVersion = String(own)
      await database.versions.clear()
      await database.requests.clear()
      await database.versions.bulkAdd(rows)
      await database.meta.bulkPut([
        { name: 'revision', value: revision },
        { name: 'compacted', value: revision },
      ])
    })
    this.news.postMessage('replaced')
  }

  settings(): Promise<unknown> {
    return this.within('r', async () => (await this.database.meta.get('settings'))?.value)
  }

  async keepSettings(value: unknown): Promise<void> {
    await this.within('rw', () => this.database.meta.put({ name: 'settings', value }))
  }

  clock(): Promise<unknown> {
    return this.within('r', async () => (await this.database.meta.get('clock'))?.value)
  }

  async keepClock(value: unknown): Promise<void> {
    await this.within('rw', () => this.database.meta.put({ name: 'clock', value }))
  }

  onForeignCommit(run: () => void): void {
    this.foreign = run
  }

  close(): void {
    this.news.close()
    this.database.close()
  }

  private within<Result>(mode: 'r' | 'rw', work: () => Promise<Result>): Promise<Result> {
    const { versions, requests, meta } = this.database
    return Promise.resolve(this.database.transaction(mode, versions, requests, meta, work)).catch((error: unknown) => {
      throw explained(error)
    })
  }

  private async number(name: MetaRow['name']): Promise<number> {
    const row = await this.database.meta.get(name)
    return typeof row?.value === 'number' ? row.value : FRESH[name]
  }
}

/** The key behind every version of a revision. */
function behind(revision: number): [number, string] {
  return [revision, '\uffff']
}
