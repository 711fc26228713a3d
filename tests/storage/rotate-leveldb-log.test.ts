import 'fake-indexeddb/auto'
import { afterEach, expect, it, vi } from 'vitest'
import { openPersistentStore } from '../../src/persistence/indexeddb'

const CHROMIUM =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A store in a browser, and the names of the databases deleted so far. */
async function storeIn(userAgent: string) {
  vi.stubGlobal('navigator', { userAgent })
  const removed: string[] = []
  const original = indexedDB.deleteDatabase.bind(indexedDB)
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation((name) => {
    const request = original(name)
    request.addEventListener('success', () => removed.push(name))
    return request
  })
  const name = `fresh-log-${Math.random()}`
  return { store: await openPersistentStore(name), removed, name }
}

it('makes Chromium begin a new log once after the load', async () => {
  const { store, removed } = await storeIn(CHROMIUM)
  await store.load()
  await vi.waitFor(() => expect(removed).toEqual(['kubetab-empty']))
  await store.saveSettings({ one: 1 })
  await store.load()
  await store.saveSettings({ two: 2 })
  expect(removed).toEqual(['kubetab-empty'])
  expect(await store.settings()).toEqual({ two: 2 })
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('kubetab-empty')
  store.close()
})

it('delays the first write until the new log has begun', async () => {
  const { store, removed, name } = await storeIn(CHROMIUM)
  const removedBefore: string[][] = []
  const original = IDBObjectStore.prototype.put
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...given
  ) {
    // The library keeps data of its own in other databases.
    if (this.transaction.db.name.includes(name)) removedBefore.push([...removed])
    return original.apply(this, given)
  })
  const reading = store.load()
  await store.saveSettings({ one: 1 })
  await reading
  expect(removedBefore).toEqual([['kubetab-empty']])
  store.close()
})

it('writes even if no new log can begin', async () => {
  const { store } = await storeIn(CHROMIUM)
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
    throw new DOMException('not now', 'UnknownError')
  })
  await store.saveSettings({ one: 1 })
  expect(await store.settings()).toEqual({ one: 1 })
  store.close()
})

it('does nothing in other browsers', async () => {
  const { store, removed } = await storeIn(FIREFOX)
  await store.saveSettings({ one: 1 })
  expect(removed).toEqual([])
  store.close()
})
