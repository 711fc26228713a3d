import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FencedError } from '../../src/engine/storage/storage'
import { openPersistentStore } from '../../src/persistence/indexeddb'
import { StoreError } from '../../src/persistence/store-error'
import { configMap, keyOf, listed, put, putIf, recorder, remove } from './objects'
import { opened, openStorage, tamper } from './opened-storage'

let databases = 0
const freshName = () => `store-failures-${++databases}`

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(opened.splice(0).map((storage) => storage.close()))
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
