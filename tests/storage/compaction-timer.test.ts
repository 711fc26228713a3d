import { expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import {
  COMPACTION_MILLISECONDS,
  compactRegularly,
} from '../../src/engine/storage/compaction-timer'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { keyOf, put } from './objects'

const MINUTES = 60_000

it('history is kept for five to ten minutes of the clock', async () => {
  const clock = new SimulatedClock()
  const storage = createMemoryStorage()
  const stop = compactRegularly(storage, clock, COMPACTION_MILLISECONDS, (error) =>
    expect(error).toBeUndefined(),
  )
  clock.advance(1 * MINUTES)
  const { revision } = await put(storage, keyOf('a'), '1')
  clock.advance(4 * MINUTES)
  await put(storage, keyOf('a'), '2')
  expect(await storage.get(keyOf('a'), { revision })).toMatchObject({ revision })
  clock.advance(5 * MINUTES)
  expect(storage.compactRevision()).toBe(revision)
  stop()
  clock.advance(60 * MINUTES)
  expect(storage.compactRevision()).toBe(revision)
})
