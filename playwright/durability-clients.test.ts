/**
 * Guarantees for clients in a page while their browser fails; the long form is `npm run durability
 * -- --pages 3`.
 */
import { expect, it } from 'vitest'
import { historyInBrowser } from '../tests/durability/browser-history'

it('clients in two tabs see one history, whatever fails meanwhile', async () => {
  const conditions = { seed: 1, milliseconds: 12_000, clients: 4, watchers: 2, calm: 2_000 }
  const { faults, counts } = await historyInBrowser(conditions, false)
  expect(faults).toEqual([])
  expect(counts.versions).toBeGreaterThan(20)
})
