/** A process that dies in the middle of writing loses nothing that it acknowledged. The long form is `npm run durability`. */
import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import type { CommitBackend } from '../../src/engine/storage/backend'
import type { PersistentStore } from '../../src/persistence/indexeddb'
import { LIVES, live } from './lives'

it('sixty deaths at random steps of transactions: no acknowledged write is lost, none is halved, the store opens', async () => {
  const totals = { kills: 0, acknowledged: 0, unanswered: 0, found: 0 }
  for (let seed = 1; totals.kills < 60; seed++) {
    const counted = await live(seed, LIVES)
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += counted[name]
  }
  expect(totals.acknowledged).toBeGreaterThan(100)
  // Processes died between request and response, before and after the commit.
  expect(totals.found).toBeGreaterThan(0)
  expect(totals.unanswered).toBeGreaterThan(totals.found)
})

describe('a store is caught that', () => {
  const attempts = async (broken: (store: PersistentStore) => CommitBackend) => {
    for (let seed = 1; seed <= 5; seed++) await live(seed, LIVES, broken)
  }

  it('responds before it has written', async () => {
    const hasty = (store: PersistentStore): CommitBackend => ({
      load: (after) => store.load(after),
      compact: async () => undefined,
      commit: async (batch) => void store.commit(batch).catch(() => undefined),
    })
    await expect(attempts(hasty)).rejects.toThrow(
      /was acknowledged, \d+ were begun, but \d+ is there/,
    )
  })

  it('writes what belongs together one by one', async () => {
    const piecemeal = (store: PersistentStore): CommitBackend => ({
      load: (after) => store.load(after),
      compact: async () => undefined,
      async commit({ from, to, changes, requests }) {
        const half = Math.ceil(changes.length / 2 + 0.5)
        await store.commit({ from, to: from, changes: changes.slice(0, half), requests: [] })
        await store.commit({ from, to, changes: changes.slice(half), requests })
      },
    })
    await expect(attempts(piecemeal)).rejects.toThrow(
      /half of one is there|revisions went back|ConstraintError/,
    )
  })
})
