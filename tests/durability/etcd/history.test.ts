/** The short form of `npm run durability -- --histories 5`. */
import { expect, it } from 'vitest'
import { historyOverEtcd } from './history'

it('clients of two hosts over one etcd see one history, whatever fails meanwhile', async () => {
  const { faults, counts } = await historyOverEtcd({ seed: 1, milliseconds: 8_000, clients: 4 })
  expect(faults).toEqual([])
  expect(counts.versions).toBeGreaterThan(20)
  expect(counts['writes acknowledged']).toBeGreaterThan(20)
})
