/** A store in memory behaves like a store in the browser's database until the page closes. */
import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { FencedError } from '../../src/engine/storage/storage'
import { memoryStores } from '../../src/persistence/in-memory'
import { configMap, keyOf, listed, put } from './objects'
import { storageSuite } from './suite'

const open = async (stores = memoryStores(), name = 'one') => {
  const store = await stores.open(name)
  return {
    store,
    storage: createMemoryStorage({ backend: store, initial: await store.load(), freeze: true }),
  }
}

describe('a store in memory', () => {
  storageSuite(async () => (await open()).storage)
})

it('keeps acknowledged writes for the next engine of the same name', async () => {
  const stores = memoryStores()
  const { storage } = await open(stores)
  await put(storage, keyOf('a'), '1')
  await storage.close()
  const { storage: again } = await open(stores)
  expect(await listed(again)).toEqual(['a=1'])
  expect(again.currentRevision()).toBe(storage.currentRevision())
  expect(await listed((await open(stores, 'another')).storage)).toEqual([])
  await stores.remove('one')
  expect(await listed((await open(stores)).storage)).toEqual([])
})

it('rejects a commit from a revision that is not current', async () => {
  const { store } = await open()
  await expect(store.commit({ from: 7, to: 8, changes: [], requests: [] })).rejects.toBeInstanceOf(
    FencedError,
  )
})

it('continues after replace with revisions that were never used', async () => {
  const stores = memoryStores()
  const { store, storage } = await open(stores)
  await put(storage, keyOf('a'), '1')
  await storage.close()
  await store.replace([{ key: keyOf('b'), object: configMap('b', '2') }])
  const { storage: again } = await open(stores)
  expect(await listed(again)).toEqual(['b=2'])
  expect(again.currentRevision()).toBeGreaterThan(storage.currentRevision() + 1)
})
