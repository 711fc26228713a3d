import { describe, expect, it } from 'vitest'
import { CompactedError } from '../../src/engine/storage/compacted-error'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { dataOf, keyOf, put, recorder, remove } from './objects'
import { storageSuite } from './suite'

describe('a store in memory', () => {
  storageSuite(async () => createMemoryStorage({ freeze: true }))

  it('completes a write within the microtask queue', async () => {
    const storage = createMemoryStorage()
    let done = false
    const write = put(storage, keyOf('a'), '1').then(() => {
      done = true
    })
    for (let i = 0; i < 10; i++) await Promise.resolve()
    expect(done).toBe(true)
    await write
  })

  it('notifies watchers before the write resolves', async () => {
    const storage = createMemoryStorage()
    const seen = recorder()
    storage.watch('/registry/', 1, seen)
    const reportedBefore = put(storage, keyOf('a'), '1').then(() => seen.reported().length)
    expect(await reportedBefore).toBe(1)
  })

  it('has a synchronous snapshot of its current state', async () => {
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

  it('freezes stored objects with the option freeze', async () => {
    const storage = createMemoryStorage({ freeze: true })
    const { stored } = await put(storage, keyOf('a'), '1')
    expect(() => Object.assign(stored[0]?.object.metadata ?? {}, { name: 'other' })).toThrow(
      TypeError,
    )
  })

  it('returns the written object without a copy', async () => {
    const storage = createMemoryStorage()
    const { stored } = await put(storage, keyOf('a'), '1')
    expect(await storage.get(keyOf('a'))).toBe(stored[0])
    expect((await storage.range('/registry/')).items[0]).toBe(stored[0])
  })

  it('keeps a limited number of changes in its history', async () => {
    const storage = createMemoryStorage({ historyLimit: 8 })
    for (let i = 0; i < 40; i++) await put(storage, keyOf('a'), String(i))
    const kept = await storage.history(keyOf('a'))
    expect(kept.length).toBeGreaterThanOrEqual(8)
    expect(kept.length).toBeLessThanOrEqual(11)
    expect(() => storage.watch('/registry/', 2, recorder())).toThrow(CompactedError)
    expect(storage.currentRevision()).toBe(41)
  })
})
