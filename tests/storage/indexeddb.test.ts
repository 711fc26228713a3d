import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { CompactedError, FencedError, type Storage } from '../../src/engine/storage/storage'
import { openPersistentStore, type PersistentStore } from '../../src/persistence/indexeddb'
import type { PageRow } from '../../src/persistence/rows'
import { StoreError } from '../../src/persistence/store-error'
import { configMap, keyOf, listed, put, putIf, recorder, remove } from './objects'
import { storageSuite } from './suite'

let databases = 0
const freshName = () => `store-${++databases}`

const opened: Storage[] = []

/** Opens an engine's store over a database; several may share one. */
async function openStorage(
  name: string,
  single?: number,
): Promise<{ storage: Storage; store: PersistentStore }> {
  const store = await openPersistentStore(name, single)
  const storage = createMemoryStorage({ backend: store, initial: await store.load(), freeze: true })
  opened.push(storage)
  return { storage, store }
}

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((storage) => storage.close()))
})

/** Changes rows without the store. */
function tamper(
  name: string,
  work: (versions: IDBObjectStore, pages: IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const database = request.result
      const transaction = database.transaction(['versions', 'pages'], 'readwrite')
      work(transaction.objectStore('versions'), transaction.objectStore('pages'))
      transaction.oncomplete = () => {
        database.close()
        resolve()
      }
    }
  })
}

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

describe('two engines over one database', () => {
  it('replicate: readers and watchers of one see the writes of the other', async () => {
    const name = freshName()
    const { storage: one } = await openStorage(name)
    const { storage: other } = await openStorage(name)
    const seen = recorder()
    other.watch('/registry/', 1, seen)
    await put(one, keyOf('a'), '1')
    await remove(one, keyOf('a'))
    await put(one, keyOf('b'), '1')
    await vi.waitFor(() =>
      expect(seen.reported()).toEqual(['ADDED a=1', 'DELETED a=1', 'ADDED b=1']),
    )
    expect(await listed(other)).toEqual(['b=1'])
    expect(other.currentRevision()).toBe(one.currentRevision())
  })

  it('read acknowledged writes of the other before its notification arrives', async () => {
    const name = freshName()
    const { storage: one } = await openStorage(name)
    const { storage: other, store } = await openStorage(name)
    await vi.waitFor(() => expect(store.current?.()).toBeDefined())
    for (let i = 0; i < 20; i++) {
      await put(one, keyOf('a'), String(i))
      expect(await listed(other)).toEqual([`a=${i}`])
      const { revision } = await remove(one, keyOf('a'))
      expect(await other.get(keyOf('a'))).toBeUndefined()
      expect(await listed(other, '/registry/', revision)).toEqual([])
      expect((await putIf(other, keyOf('a'), 0, 'other')).succeeded).toBe(true)
    }
  })

  it('never overwrite each other: a transaction that loses the race is checked again', async () => {
    const name = freshName()
    const { storage: one } = await openStorage(name)
    const { storage: other } = await openStorage(name)
    const results = await Promise.all([
      putIf(one, keyOf('a'), 0, 'one'),
      putIf(other, keyOf('a'), 0, 'other'),
      putIf(one, keyOf('b'), 0, 'one'),
      putIf(other, keyOf('c'), 0, 'other'),
    ])
    expect(results.filter((result) => result.succeeded)).toHaveLength(3)
    const loser = results.find((result) => !result.succeeded)
    expect(loser).toMatchObject({ current: { key: keyOf('a') } })
    await vi.waitFor(async () => expect(await listed(other)).toEqual(await listed(one)))
  })

  it('run a repeated request once, whichever engine it reaches', async () => {
    const name = freshName()
    const { storage: one } = await openStorage(name)
    const { storage: other } = await openStorage(name)
    const both = await Promise.all([
      putIf(one, keyOf('x'), 0, '1', 'same'),
      putIf(other, keyOf('y'), 0, '1', 'same'),
    ])
    expect(both.map((result) => result.succeeded && result.stored.map(({ key }) => key))).toEqual([
      [keyOf('x')],
      [keyOf('x')],
    ])
    expect(await listed(one)).toEqual(['x=1'])
  })

  it('fail with an error if one is permanently fenced', async () => {
    const { storage, store } = await openStorage(freshName())
    vi.spyOn(store, 'commit').mockRejectedValue(new FencedError('always'))
    await expect(put(storage, keyOf('a'), '1')).rejects.toThrow(FencedError)
    expect(await listed(storage)).toEqual([])
  })

  it('restart after a replace: watches end, lists are new', async () => {
    const name = freshName()
    const { storage: one } = await openStorage(name)
    await put(one, keyOf('a'), '1')
    const seen = recorder()
    one.watch('/registry/', 2, seen)
    const { store } = await openStorage(name)
    await store.replace([{ key: keyOf('b'), object: configMap('b', '1') }])
    await vi.waitFor(() => expect(seen.ends).toEqual(['gone']))
    expect(await listed(one)).toEqual(['b=1'])
    const stored = await one.get(keyOf('b'))
    expect(stored?.object.metadata.resourceVersion).toBe(String(one.currentRevision()))
    expect(one.currentRevision()).toBeGreaterThan(2)
  })
})

describe('when storage fails', () => {
  it('a full disk gives a helpful error without a change; the next write succeeds', async () => {
    const { storage } = await openStorage(freshName())
    const seen = recorder()
    storage.watch('/registry/', 1, seen)
    const add = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    const failed = put(storage, keyOf('a'), '1')
    await expect(failed).rejects.toThrow(StoreError)
    await expect(failed).rejects.toThrow(/no room left for this site: delete objects, or export/)
    expect([await listed(storage), storage.currentRevision()]).toEqual([[], 1])
    add.mockRestore()
    expect((await put(storage, keyOf('b'), '1')).revision).toBe(2)
    expect(seen.reported()).toEqual(['ADDED b=1'])
  })

  it('a transaction that built on a failed one is checked again', async () => {
    const { storage, store } = await openStorage(freshName())
    const commit = store.commit.bind(store)
    vi.spyOn(store, 'commit').mockImplementationOnce(async () => {
      throw new StoreError('disk on fire')
    })
    const first = putIf(storage, keyOf('a'), 0, '1')
    const failed = expect(first).rejects.toThrow('disk on fire')
    await Promise.resolve().then(() => undefined)
    const second = putIf(storage, keyOf('a'), 0, '2')
    await failed
    expect(await second).toMatchObject({ succeeded: true, revision: 2 })
    expect(await listed(storage)).toEqual(['a=2'])
    expect(commit).toBeDefined()
  })

  it('a damaged record is skipped and named; all others exist', async () => {
    const name = freshName()
    const { storage } = await openStorage(name)
    await put(storage, keyOf('a'), '1')
    await put(storage, keyOf('b'), '1')
    await storage.close()
    await tamper(name, (versions) =>
      versions.put({ revision: 2, key: keyOf('a'), createRevision: 2, json: 'not an object' }),
    )

    const { storage: again, store } = await openStorage(name)
    expect(await listed(again)).toEqual(['b=1'])
    expect(store.damaged()).toEqual([keyOf('a')])
    await put(again, keyOf('a'), 'mended')
    expect(await listed(again)).toEqual(['a=mended', 'b=1'])
  })

  it('reads continue after the data were deleted, writes report the reason', async () => {
    const name = freshName()
    const { storage } = await openStorage(name)
    await put(storage, keyOf('a'), '1')
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(name).onsuccess = resolve
    })
    await expect(put(storage, keyOf('b'), '1')).rejects.toThrow(
      /the stored data were removed, or another tab/,
    )
    expect(await listed(storage)).toEqual(['a=1'])
  })

  it('a tab with an older layout is named in an error, without waiting', async () => {
    const name = freshName()
    const held = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name, 5)
      request.onsuccess = () => resolve(request.result)
    })
    await expect(openPersistentStore(name)).rejects.toThrow(
      'another tab holds an older version of the stored data: close the other tabs',
    )
    held.close()
    const store = await openPersistentStore(name)
    store.close()
  })

  it('a database of a newer version gives an error', async () => {
    const name = freshName()
    await new Promise<void>((resolve) => {
      const request = indexedDB.open(name, 1000)
      request.onsuccess = () => {
        request.result.close()
        resolve()
      }
    })
    await expect(openPersistentStore(name)).rejects.toThrow(StoreError)
  })
})
