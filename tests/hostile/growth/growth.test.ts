/** The short form of `npm run hostile`: a part of the positions, and proof that the count sees what is not linear. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { growsTooFast, type Measured } from './measure'
import { cases, search } from './search'
import { WorkCounter } from './work'

const EVERY = 250
/** Larger sizes take minutes. */
const MOST = 512

let counter: WorkCounter
beforeAll(async () => {
  counter = await new WorkCounter().start()
})
afterAll(() => counter.stop())

describe('the counted work', () => {
  const list = (size: number) => Array.from({ length: size }, (_, index) => `item-${index}`)
  async function measured(run: (items: string[]) => unknown): Promise<Measured[]> {
    const all: Measured[] = []
    for (const size of [32, 256, 2048])
      all.push({ size, work: await counter.measure(async () => String(run(list(size)))) })
    return all
  }

  it('grows with the length of a loop', async () => {
    const work = await measured((items) =>
      items.map((item) => item.length).reduce((sum, length) => sum + length, 0),
    )
    expect(growsTooFast(work)).toBe(false)
  })

  it.each<[string, (items: string[]) => unknown]>([
    [
      'nested loops',
      (items) => items.map((item) => items.filter((other) => other === item).length).length,
    ],
    [
      'a search in each round',
      (items) => items.filter((item, index) => items.indexOf(item) < index).length,
    ],
    [
      'a copy in each round',
      (items) => items.reduce<string[]>((all, item) => all.concat(item), []).length,
    ],
    [
      'a spread in each round',
      (items) => {
        let all: string[] = []
        for (const item of items) all = [...all, item]
        return all.length
      },
    ],
    [
      'a set in each round',
      (items) => {
        const all = new Set<string>()
        return items.map((item) => new Set(all.add(item))).length
      },
    ],
    [
      'the keys of an object in each round',
      (items) => {
        const all: Record<string, string> = {}
        return items.map((item) => {
          all[item] = item
          return Object.keys(all).length
        }).length
      },
    ],
  ])('shows %s', async (_, run) => {
    expect(growsTooFast(await measured(run))).toBe(true)
  })
})

it('grows no faster than the object, in a part of all positions', {
  timeout: 300_000,
}, async () => {
  const chosen = (await cases()).filter((_, index) => index % EVERY === 0)
  const { tried, findings, failures } = await search(counter, chosen, undefined, MOST)
  expect(findings).toEqual([])
  expect(failures).toEqual([])
  expect(tried).toBeGreaterThan(10)
})
