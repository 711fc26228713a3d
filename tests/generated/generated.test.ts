/** Random objects of every kind, grown from what a real server took; `npm run fuzz:objects` is the long form. */
import { assert, asyncProperty, constantFrom, integer } from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/engine/core/environment'
import { Server, tryOne } from './round-trip'
import { recordedSeeds, type Seed } from './seeds'

const OBJECTS = 250

test('what the server takes reads back the same in every version and format, and loses nothing', {
  timeout: 120_000,
}, async () => {
  const byKind = new Map<string, Seed[]>()
  for (const seed of recordedSeeds()) {
    const kind = `${seed.object.apiVersion} ${seed.object.kind}`
    byKind.set(kind, [...(byKind.get(kind) ?? []), seed])
  }
  const server = await new Server().start()
  let created = 0
  const property = asyncProperty(
    constantFrom(...byKind.keys()),
    integer({ min: 1, max: 2 ** 31 - 1 }),
    async (kind, start) => {
      const random = seededRandom(start)
      const draw = (limit: number) =>
        random.bytes(new Uint8Array(4)).reduce((sum, byte) => (sum * 256 + byte) % limit, 0)
      const seeds = byKind.get(kind) ?? []
      const tried = await tryOne(
        server,
        seeds[draw(seeds.length)] as Seed,
        draw,
        3 + draw(20),
        `made-${created}`,
      )
      if (tried.created) created++
      expect(tried.problem, kind).toBeUndefined()
    },
  )
  await assert(property, { numRuns: OBJECTS, seed: 1, endOnFailure: true })
  expect(created).toBeGreaterThan(OBJECTS * 0.8)
})
