import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { CompactedError } from '../../src/engine/storage/storage'
import { dataOf, keyOf, put, recorder, remove } from './objects'
import { storageSuite } from './suite'

describe('a store in memory', () => {
  storageSuite(async () => createMemoryStorage({ freeze: true }))

  it('completes a write without leaving the queue of microtasks', async () => {
    const storage = createMemoryStorage()
    let done = false
    const write = put(storage, keyOf('a'), '1').then(() => {
      done = true
    })
    for (let i = 0; i < 10; i++) await Promise.resolve()
    expect(done).toBe(true)
    await write
  })

  it('tells watchers before it answers the writer', async () => {
    const storage = createMemoryStorage()
    const seen = recorder()
    storage.watch('/registry/', 1, seen)
    const toldBefore = put(storage, keyOf('a'), '1').then(() => seen.told().length)
    expect(await toldBefore).toBe(1)
  })

  it('has its newest state at hand, however often that changes', async () => {
    const storage = createMemoryStorage()
    await put(storage, keyOf('a'), '1')
    const state = storage.snapshot?.()
    for (const change of [put(storage, keyOf('b'), '1'), put(storage, keyOf('a'), '2')]) {
      await change
      expect(state?.range('/registry/configmaps/')).toEqual(
        (await storage.range('/registry/configmaps/')).items,
      )
      expect(state?.get(keyOf('a'))).toBe(await storage.get(keyOf('a')))
    }
    await remove(storage, keyOf('a'))
    expect(state?.get(keyOf('a'))).toBeUndefined()
    expect(state?.range('/registry/configmaps/').map(({ object }) => dataOf(object))).toEqual(['1'])
  })

  it('freezes what it stores when asked to', async () => {
    const storage = createMemoryStorage({ freeze: true })
    const { stored } = await put(storage, keyOf('a'), '1')
    expect(() => Object.assign(stored[0]?.object.metadata ?? {}, { name: 'other' })).toThrow(
      TypeError,
    )
  })

  it('hands out the very object that was written: nothing is copied', async () => {
    const storage = createMemoryStorage()
    const { stored } = await put(storage, keyOf('a'), '1')
    expect(await storage.get(keyOf('a'))).toBe(stored[0])
    expect((await storage.range('/registry/')).items[0]).toBe(stored[0])
  })

  it('remembers a limited number of changes, however fast they come', async () => {
    const storage = createMemoryStorage({ historyLimit: 8 })
    for (let i = 0; i < 40; i++) await put(storage, keyOf('a'), String(i))
    const kept = await storage.history(keyOf('a'))
    expect(kept.length).toBeGreaterThanOrEqual(8)
    expect(kept.length).toBeLessThanOrEqual(11)
    expect(() => storage.watch('/registry/', 2, recorder())).toThrow(CompactedError)
    expect(storage.currentRevision()).toBe(41)
  })
})
