/** The history of keys in every store, as part of `storageSuite`. */
import { expect, it } from 'vitest'
import type { Storage } from '../../src/engine/storage/storage'
import { configMap, dataOf, keyOf, put, remove } from './objects'

/** @param opened returns the store of the current test */
export function historySuite(opened: () => Storage): void {
  it('has the history of a key', async () => {
    const storage = opened()
    await put(storage, keyOf('a'), '1')
    await remove(storage, keyOf('a'))
    await put(storage, keyOf('a'), '2')
    const history = async () =>
      (await storage.history(keyOf('a'))).map(({ revision, stored }) => [
        revision,
        stored && dataOf(stored.object),
      ])
    expect(await history()).toEqual([
      [2, '1'],
      [3, undefined],
      [4, '2'],
    ])
    await storage.compact(3)
    expect(await history()).toEqual([[4, '2']])
    expect(await storage.history(keyOf('nobody'))).toEqual([])
  })

  it('records the author of each state of a key, including a deletion', async () => {
    const storage = opened()
    const key = keyOf('a')
    await storage.transaction([], [{ type: 'put', key, object: configMap('a', '1') }], {
      author: 'alice',
    })
    await put(storage, key, '2')
    await storage.transaction([], [{ type: 'delete', key }], { author: 'bob' })
    expect((await storage.history(key)).map(({ author }) => author)).toEqual([
      'alice',
      undefined,
      'bob',
    ])
  })
}
