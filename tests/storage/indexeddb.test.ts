import { CompactedError } from '../../src/engine/storage/compacted-error'
import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Storage } from '../../src/engine/storage/storage'
import type { PageRow } from '../../src/persistence/rows'
import { configMap, keyOf, listed, put, putIf, recorder, remove } from './objects'
import { opened, openStorage, tamper } from './opened-storage'
import { storageSuite } from './suite'

let databases = 0
const freshName = () => `store-${++databases}`

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((storage) => storage.close()))
})

describe('a store over IndexedDB', () => {
  storageSuite(async () => (await openStorage(freshName())).storage)

  it('has no synchronous snapshot: another engine may have written to the database', async () => {
    const { storage } = await openStorage(freshName())
    await put(storage, keyOf('a'), '1')
    expect(storage.snapshot?.()).toBeUndefined()
  })
})

describe('after a restart', () => {
  it('all acknowledged writes exist, under the same revisions', async () => {
    const name = freshName()
    const { storage } = await openStorage(name)
    await put(storage, keyOf('a'), '1')
    await storage.transaction([], [{ type: 'put', key: keyOf('b'), object: configMap('b', '1') }], {
      author: 'alice',
    })
    const changed = await put(storage, keyOf('a'), '2')
    await storage.close()

    const { storage: again } = await openStorage(name)
    expect(again.currentRevision()).toBe(4)
    expect(await listed(again)).toEqual(['a=2', 'b=1'])
    expect(await again.history(keyOf('b'))).toMatchObject([{ revision: 3, author: 'alice' }])
    const stored = await again.get(keyOf('a'))
    expect([stored?.revision, stored?.createRevision, stored?.object]).toEqual([
      4,
      2,
      changed.stored[0]?.object,
    ])
    expect((await put(again, keyOf('c'), '1')).revision).toBe(5)
  })

  it('history exists: old states, watches from the past, deletions', async () => {
    const name = freshName()
    const { storage } = await openStorage(name)
    await put(storage, keyOf('a'), '1')
    await put(storage, keyOf('a'), '2')
    await remove(storage, keyOf('a'))
    await storage.close()

    const { storage: again } = await openStorage(name)
    expect(await listed(again, '/registry/', 2)).toEqual(['a=1'])
    const seen = recorder()
    again.watch('/registry/', 2, seen)
    expect(seen.reported()).toEqual(['MODIFIED a=2', 'DELETED a=2'])
    expect(seen.events[1]?.current.object.metadata.resourceVersion).toBe('4')
  })

  it('compacted history stays compacted', async () => {
    const name = freshName()
    const { storage } = await openStorage(name)
    for (const value of ['1', '2', '3']) await put(storage, keyOf('a'), value)
    await put(storage, keyOf('gone'), '1')
    await remove(storage, keyOf('gone'))
    await storage.compact(6)
    await storage.close()

    const { storage: again } = await openStorage(name)
    expect(again.compactRevision()).toBe(6)
    expect(() => again.watch('/registry/', 5, recorder())).toThrow(CompactedError)
    expect(await listed(again)).toEqual(['a=3'])
    expect(await again.history(keyOf('a'))).toHaveLength(1)
  })

  it('a repeated request is still recognized', async () => {
    const name = freshName()
    const { storage } = await openStorage(name)
    const first = await putIf(storage, keyOf('generated-x'), 0, '1', 'request-1')
    await storage.close()

    const { storage: again } = await openStorage(name)
    const second = await putIf(again, keyOf('generated-y'), 0, '1', 'request-1')
    expect(second).toEqual(first)
    expect(await listed(again)).toEqual(['generated-x=1'])
  })
})

/** Returns the number of single rows, and the pages. */
async function laid(name: string): Promise<{ single: number; pages: PageRow[] }> {
  let single: IDBRequest<number> | undefined
  let pages: IDBRequest<PageRow[]> | undefined
  await tamper(name, (ofVersions, ofPages) => {
    single = ofVersions.count()
    pages = ofPages.getAll()
  })
  return { single: single?.result ?? 0, pages: pages?.result ?? [] }
}

describe('single rows', () => {
  /** Versions `a0` to `a8`, packed into pages of two: the last one is still a single row. */
  async function gathered(): Promise<string> {
    const name = freshName()
    const { storage } = await openStorage(name)
    for (let i = 0; i < 9; i++) await put(storage, keyOf(`a${i}`), String(i))
    await storage.close()
    const { storage: again } = await openStorage(name, 2)
    await vi.waitFor(async () =>
      expect(await laid(name)).toMatchObject({ single: 1, pages: { length: 4 } }),
    )
    await again.close()
    return name
  }

  const all = Array.from({ length: 9 }, (_, i) => `a${i}=${i}`)

  it('are packed into pages after a start, with the same content', async () => {
    const name = await gathered()
    const { storage: again } = await openStorage(name)
    expect(await listed(again)).toEqual(all)
    expect(await listed(again, '/registry/', 4)).toEqual(all.slice(0, 3))
    const seen = recorder()
    again.watch('/registry/', 7, seen)
    expect(seen.reported()).toEqual(['ADDED a6=6', 'ADDED a7=7', 'ADDED a8=8'])
    expect((await put(again, keyOf('b'), '1')).revision).toBe(11)
  })

  it('are packed only if enough of them exist', async () => {
    const name = freshName()
    const { storage } = await openStorage(name)
    for (let i = 0; i < 9; i++) await put(storage, keyOf(`a${i}`), String(i))
    await storage.close()
    await openStorage(name)
    expect(await laid(name)).toEqual({ single: 9, pages: [] })
  })

  it('are read from pages by an engine that missed commits of another one', async () => {
    const name = freshName()
    const { storage: one, store } = await openStorage(name)
    // This engine receives no notification of foreign commits.
    store.onForeignCommit?.(() => undefined)
    const { storage: other } = await openStorage(name)
    for (let i = 0; i < 9; i++) await put(other, keyOf(`a${i}`), String(i))
    await openStorage(name, 2)
    await vi.waitFor(async () => expect(await laid(name)).toMatchObject({ single: 1 }))
    await put(one, keyOf('b'), '1')
    expect(await listed(one)).toEqual([...all, 'b=1'])
  })

  it('are compacted in their page; an empty page is deleted', async () => {
    const name = await gathered()
    const { storage } = await openStorage(name)
    for (const other of ['a0', 'a1', 'a2', 'a8']) await put(storage, keyOf(other), 'new')
    await storage.compact(storage.currentRevision())
    expect((await laid(name)).pages.map(({ rows }) => rows.map((row) => row.key))).toEqual([
      [keyOf('a3')],
      [keyOf('a4'), keyOf('a5')],
      [keyOf('a6'), keyOf('a7')],
    ])
    await storage.close()
    const { storage: again } = await openStorage(name)
    expect(await listed(again)).toEqual([
      'a0=new',
      'a1=new',
      'a2=new',
      ...all.slice(3, 8),
      'a8=new',
    ])
  })

  it('are skipped and named if damaged, alone or with their whole page', async () => {
    const name = await gathered()
    const { pages } = await laid(name)
    const [first, second] = pages as [PageRow, PageRow]
    await tamper(name, (_, all) => {
      all.put({ ...first, rows: [{ ...first.rows[0], json: 'not an object' }, first.rows[1]] })
    })
    const read = IDBObjectStore.prototype.getAll
    const single = IDBObjectStore.prototype.get
    vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function (
      this: IDBObjectStore,
      ...given
    ) {
      if (this.name === 'pages') throw new DOMException('unreadable', 'UnknownError')
      return read.apply(this, given)
    })
    vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (
      this: IDBObjectStore,
      id,
    ) {
      if (this.name === 'pages' && indexedDB.cmp(id, [second.revision, second.key]) === 0)
        throw new DOMException('unreadable', 'UnknownError')
      return single.call(this, id)
    })
    const { storage, store } = await openStorage(name)
    expect(await listed(storage)).toEqual(['a1=1', ...all.slice(4)])
    expect(store.damaged()).toEqual([`${keyOf('a3')} and the versions of its page`, keyOf('a0')])
  })

  it('may have the previous layout: rows with objects', async () => {
    const name = freshName()
    await firstLayout(name, [
      {
        revision: 2,
        key: keyOf('a'),
        createRevision: 2,
        object: versioned('a', '1', 2),
        author: 'alice',
      },
      { revision: 3, key: keyOf('b'), createRevision: 3, object: versioned('b', '1', 3) },
      { revision: 4, key: keyOf('a'), createRevision: 2, object: versioned('a', '<2>', 4) },
      { revision: 5, key: keyOf('b'), createRevision: 3, object: undefined },
      { revision: 6, key: keyOf('c'), createRevision: 6, object: 'not an object' },
    ])
    // The first start reads the old layout, the second one reads pages.
    for (let start = 0; start < 2; start++) {
      const { storage, store } = await openStorage(name, 2)
      expect(storage.currentRevision()).toBe(6)
      expect(await listed(storage)).toEqual(['a=<2>'])
      expect(await listed(storage, '/registry/', 3)).toEqual(['a=1', 'b=1'])
      expect(await storage.history(keyOf('a'))).toMatchObject([
        { revision: 2, author: 'alice' },
        { revision: 4 },
      ])
      expect((await storage.get(keyOf('a')))?.object).toEqual(versioned('a', '<2>', 4))
      expect(store.damaged()).toEqual([keyOf('c')])
      await vi.waitFor(async () =>
        expect(await laid(name)).toMatchObject({ single: 1, pages: { length: 2 } }),
      )
      await storage.close()
    }
  })
})

const versioned = (name: string, value: string, revision: number) => {
  const object = configMap(name, value)
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
}

/** Creates a database with the layout of an earlier version. */
async function firstLayout(name: string, rows: object[]): Promise<void> {
  const request = indexedDB.open(name, 10)
  await new Promise<void>((resolve, reject) => {
    request.onerror = () => reject(request.error)
    request.onupgradeneeded = () => {
      const database = request.result
      const versions = database.createObjectStore('versions', { keyPath: ['revision', 'key'] })
      database.createObjectStore('requests', { keyPath: 'id' }).createIndex('revision', 'revision')
      const meta = database.createObjectStore('meta', { keyPath: 'name' })
      for (const row of rows) versions.add(row)
      meta.add({ name: 'revision', value: 6 })
    }
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })
}

describe('group commit', () => {
  it('combines concurrent writes in one database transaction', async () => {
    const { storage, store } = await openStorage(freshName())
    const commit = vi.spyOn(store, 'commit')
    await Promise.all(Array.from({ length: 32 }, (_, i) => put(storage, keyOf(`n${i}`), '1')))
    expect(commit.mock.calls.map(([batch]) => batch.changes.length)).toEqual([32])
    expect(storage.currentRevision()).toBe(33)
  })

  it('shows no write to readers before it is durable', async () => {
    const { storage, store } = await openStorage(freshName())
    const seen = recorder()
    storage.watch('/registry/', 1, seen)
    const commit = store.commit.bind(store)
    const during: unknown[] = []
    vi.spyOn(store, 'commit').mockImplementation(async (batch) => {
      await commit(batch)
      during.push(await listed(storage), seen.reported(), storage.currentRevision())
    })
    await put(storage, keyOf('a'), '1')
    expect(during).toEqual([[], [], 1])
    expect(seen.reported()).toEqual(['ADDED a=1'])
  })
})

describe('provisional writes', () => {
  const provisional = (storage: Storage, name: string, value: string) =>
    storage.transaction(
      [{ key: keyOf(name), revision: 0 }],
      [{ type: 'put', key: keyOf(name), object: configMap(name, value) }],
      {
        provisional: true,
      },
    )

  it('are visible before they are durable, and later writes wait for them', async () => {
    const name = freshName()
    const { storage, store } = await openStorage(name)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const commit = store.commit.bind(store)
    vi.spyOn(store, 'commit').mockImplementation((batch) => held.then(() => commit(batch)))
    expect(await provisional(storage, 'made', '1')).toMatchObject({ succeeded: true, revision: 2 })
    expect(await listed(storage)).toEqual(['made=1'])
    let acknowledged = false
    const later = put(storage, keyOf('later'), '1').then(() => {
      acknowledged = true
    })
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect([acknowledged, await listed(storage)]).toEqual([false, ['made=1']])
    release()
    await later
    await storage.close()
    expect(await listed((await openStorage(name)).storage)).toEqual(['later=1', 'made=1'])
  })

  it('are replaced by an earlier write of another engine: reads see it, watches end', async () => {
    const name = freshName()
    const { storage: one } = await openStorage(name)
    const { storage: other } = await openStorage(name)
    await provisional(one, 'made', 'by one')
    const seen = recorder()
    await provisional(other, 'made', 'by the other')
    other.watch('/registry/', 1, seen)
    await vi.waitFor(async () => expect(await listed(other)).toEqual(['made=by one']))
    expect(seen.ends).toEqual(['gone'])
    expect((await putIf(other, keyOf('made'), 2, 'changed')).succeeded).toBe(true)
    await vi.waitFor(async () => expect(await listed(one)).toEqual(['made=changed']))
  })
})
