/**
 * A log of versions in IndexedDB, through Dexie. Browsers stop an idle service worker after 30
 * seconds, so each start packs single rows into pages for the next start (rows.ts).
 *
 * Every write checks the revision row in its own transaction. It fails if another engine (a new
 * worker or a second tab) has written since. The engine then reads the newer commits and retries. A
 * broadcast announces every commit to other engines.
 */
import Dexie, { type Table } from 'dexie'
import type {
  CommitBackend,
  CommitBatch,
  CommittedChange,
  LoadedChange,
  RequestRecord,
  Snapshot,
} from '../engine/storage/backend'
import { FencedError } from '../engine/storage/storage'
import type { VersionId } from '../engine/storage/versions'
import { PeerDetection } from './peer-detection'
import { rotateLevelDbLog } from './rotate-leveldb-log'
import {
  changeOf,
  compareIds,
  isSound,
  type PageRow,
  pagesOf,
  rowOf,
  type VersionRow,
  without,
} from './rows'
import { explained, StoreError } from './store-error'

interface MetaRow {
  name: 'revision' | 'compacted'
  value: number
}

/** The host defines the format. */
interface SettingsRow {
  name: 'settings' | 'clock' | 'snapshot'
  value: unknown
}

/** The revision of an empty database; a store begins at revision 1. */
const FRESH: Record<MetaRow['name'], number> = { revision: 1, compacted: 0 }

/** Rows of the first schema version, without pages and text, are still read. */
const LAYOUT = 2

/** Maximum of single rows after packing; reading them takes a few milliseconds. */
const SINGLE = 256

const ID = '[revision+key]'

class Database extends Dexie {
  declare versions: Table<VersionRow, [number, string]>
  /** Pages have only versions older than the single rows. */
  declare pages: Table<PageRow, [number, string]>
  declare requests: Table<RequestRecord, string>
  declare meta: Table<MetaRow | SettingsRow, string>

  constructor(name: string) {
    // No automatic reopening: an engine must stop when its data is deleted. Relaxed durability:
    // commits survive a crash of the browser, not of the machine.
    super(name, { chromeTransactionDurability: 'relaxed', autoOpen: false })
    this.version(LAYOUT).stores({
      versions: ID,
      pages: ID,
      requests: '&id, revision',
      meta: '&name',
    })
  }
}

export interface PersistentStore extends CommitBackend {
  /** The revision increases, so that watches cannot continue from the old state. */
  replace(objects: Pick<CommittedChange, 'key' | 'object'>[]): Promise<void>
  settings(): Promise<unknown>
  saveSettings(settings: unknown): Promise<void>
  /** The cluster clock, which changes without a restart. */
  clock(): Promise<unknown>
  saveClock(clock: unknown): Promise<void>
  /** The state before the last change of the release; undefined removes it. */
  snapshot(): Promise<unknown>
  saveSnapshot(snapshot: unknown): Promise<void>
  damaged(): string[]
  close(): void
}

/**
 * @param name of the database; engines with the same name share it
 * @param single maximum of single rows before a start packs them
 * @throws StoreError if the browser does not allow the database
 */
export async function openPersistentStore(
  name: string,
  single: number = SINGLE,
): Promise<PersistentStore> {
  const database = new Database(name)
  try {
    await new Promise<void>((resolve, reject) => {
      database.on('blocked', () =>
        reject(
          new StoreError(
            'another tab holds an older version of the stored data: close the other tabs',
          ),
        ),
      )
      database.open().then(() => resolve(), reject)
    })
    // Dexie opens newer schema versions too, and multiplies them by ten.
    if (database.backendDB().version > LAYOUT * 10)
      throw new StoreError('this page is older than the stored data: reload it')
  } catch (error) {
    database.close()
    throw explained(error)
  }
  return new IndexedDbStore(database, single)
}

/** Open engines close the database first. @throws StoreError */
export async function removePersistentStore(name: string): Promise<void> {
  await Dexie.delete(name).catch((error: unknown) => {
    throw explained(error)
  })
}

class IndexedDbStore implements PersistentStore {
  private readonly news: BroadcastChannel
  private readonly peers: PeerDetection
  private foreign: () => void = () => undefined
  private leftOut: string[] = []

  constructor(
    private readonly database: Database,
    private readonly single: number,
  ) {
    // Unblocks another tab that upgrades or deletes the database. The next commit here fails.
    database.on('versionchange', () => database.close())
    this.news = new BroadcastChannel(`${database.name}-commits`)
    this.peers = new PeerDetection(
      (word) => this.news.postMessage(word),
      () => performance.now(),
    )
    this.news.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!this.peers.receive(data)) this.foreign()
    }
    this.peers.ping()
  }

  /** Reads only if another engine may have written. */
  current(): Promise<number> | undefined {
    return this.peers.isAlone() ? undefined : this.within('r', () => this.number('revision'))
  }

  async load(after = -1): Promise<Snapshot> {
    const { database } = this
    const { single, ...snapshot } = await this.within('r', async () => {
      const [revision, compacted] = await Promise.all([
        this.number('revision'),
        this.number('compacted'),
      ])
      // A revision above the stored one: the browser removed the data in the meantime.
      const complete = after < compacted || after > revision
      if (complete) this.leftOut = []
      const from = complete ? undefined : after
      const [pages, versions, requests] = await Promise.all([
        this.rowsOf(database.pages, from, ' and the versions of its page'),
        this.rowsOf(database.versions, from),
        database.requests
          .where('revision')
          .above(from ?? compacted)
          .toArray(),
      ])
      const changes: LoadedChange[] = []
      for (const { rows } of [...pages, { rows: versions }]) {
        for (const row of rows) {
          if (from !== undefined && row.revision <= from) continue
          if (isSound(row)) changes.push(changeOf(row))
          else this.leftOut.push(String(row.key))
        }
      }
      return { revision, compacted, complete, changes, requests, single: versions.length }
    })
    // Before the first write, because Chromium needs a moment (rotate-leveldb-log.ts).
    this.writable()
    // The next start packs the rest.
    if (snapshot.complete && single >= this.single) this.gather().catch(() => undefined)
    return snapshot
  }

  /** Skips invalid rows. @param others describes the content of such rows for the report */
  private async rowsOf<Row>(
    table: Table<Row, [number, string]>,
    after: number | undefined,
    others = '',
  ): Promise<Row[]> {
    if (after !== undefined) return table.where(ID).above(behind(after)).toArray()
    try {
      return await table.toArray()
    } catch {
      const rows: Row[] = []
      for (const id of await table.toCollection().primaryKeys()) {
        const row = await table.get(id).catch(() => undefined)
        if (row) rows.push(row)
        else this.leftOut.push(id[1] + others)
      }
      return rows
    }
  }

  private async gather(): Promise<void> {
    const { versions, pages } = this.database
    const part = () =>
      this.within('rw', async () => {
        const rows = await versions.limit(this.single).toArray()
        const last = rows.at(-1)
        if (last === undefined || rows.length < this.single) return false
        await versions.where(ID).belowOrEqual([last.revision, last.key]).delete()
        await pages.bulkAdd(pagesOf(rows))
        return true
      })
    while (await part());
  }

  damaged(): string[] {
    return this.leftOut
  }

  async commit({ from, to, changes, requests }: CommitBatch): Promise<void> {
    const { database } = this
    const rows = changes.map(rowOf)
    await this.within('rw', async () => {
      const current = await this.number('revision')
      // A new database is at 0 and a new store at 1: both are empty.
      if (current !== from && !(current === 0 && from <= 1))
        throw new FencedError(`the store is at revision ${current}, not at ${from}`)
      await database.versions.bulkAdd(rows)
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
      await this.compactPages(versions)
      await database.requests.where('revision').belowOrEqual(revision).delete()
      await database.meta.put({ name: 'compacted', value: revision })
    })
  }

  private async compactPages(versions: VersionId[]): Promise<void> {
    const { pages } = this.database
    const left = [...versions].sort(compareIds)
    for (let first = left[0]; first !== undefined; first = left[0]) {
      const page = await pages.where(ID).aboveOrEqual([first.revision, first.key]).first()
      if (page === undefined) return
      const end = left.findIndex((version) => compareIds(version, page) > 0)
      const rest = without(page, left.splice(0, end < 0 ? left.length : end))
      if (rest.rows.length === 0) await pages.delete([page.revision, page.key])
      else if (rest.rows.length < page.rows.length) await pages.put(rest)
    }
  }

  async replace(objects: Pick<CommittedChange, 'key' | 'object'>[]): Promise<void> {
    const { database } = this
    await this.within('rw', async () => {
      let revision = (await this.number('revision')) + 1
      const rows = objects.map(({ key, object }) => ({
        key,
        object,
        revision: ++revision,
        createRevision: revision,
      }))
      for (const { object, revision: own } of rows)
        if (object) object.metadata.resourceVersion = String(own)
      await database.versions.clear()
      await database.pages.clear()
      await database.requests.clear()
      await database.pages.bulkAdd(pagesOf(rows.map(rowOf)))
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

  async saveSettings(value: unknown): Promise<void> {
    await this.within('rw', () => this.database.meta.put({ name: 'settings', value }))
  }

  clock(): Promise<unknown> {
    return this.within('r', async () => (await this.database.meta.get('clock'))?.value)
  }

  async saveClock(value: unknown): Promise<void> {
    await this.within('rw', () => this.database.meta.put({ name: 'clock', value }))
  }

  snapshot(): Promise<unknown> {
    return this.within('r', async () => (await this.database.meta.get('snapshot'))?.value)
  }

  async saveSnapshot(value: unknown): Promise<void> {
    await this.within('rw', () => this.database.meta.put({ name: 'snapshot', value }))
  }

  onForeignCommit(run: () => void): void {
    this.foreign = run
  }

  close(): void {
    this.news.close()
    this.database.close()
  }

  private async within<Result>(mode: 'r' | 'rw', work: () => Promise<Result>): Promise<Result> {
    const { versions, pages, requests, meta } = this.database
    try {
      if (mode === 'rw') await this.writable()
      return await this.database.transaction(mode, versions, pages, requests, meta, work)
    } catch (error) {
      throw explained(error)
    }
  }

  private freshLog: Promise<void> | undefined

  /**
   * Must precede the first write, which must not follow a partial log entry. An error here does not
   * prevent the write.
   */
  private writable(): Promise<void> {
    this.freshLog ??= rotateLevelDbLog().catch(() => undefined)
    return this.freshLog
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
