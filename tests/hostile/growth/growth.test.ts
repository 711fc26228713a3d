/** The short form of `npm run hostile`: a part of the positions, and proof that the count sees what is not linear. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cases, growsTooFast, search } from './search'
import { WorkCounter } from './work'

const EVERY = 20

let counter: WorkCounter
beforeAll(async () => {
  counter = await new WorkCounter().start()
})
afterAll(() => counter.stop())

describe('the counted work', () => {
  const list = (size: number) => Array.from({ length: size }, (_, index) => `item-${index}`)
  async function measured(run: (items: string[]) => unknown): Promise<number[]> {
    const work: number[] = []
    for (const size of [128, 512])
      work.push(await counter.measure(async () => String(run(list(size)))))
    return work
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
  ])('shows %s', async (_, run) => {
    const work = await measured((items) => run([...items, ...items, ...items]))
    expect(growsTooFast(work)).toBe(true)
  })
})

it('grows no faster than the object, in a part of all positions', {
  timeout: 120_000,
}, async () => {
  const chosen = cases().filter((_, index) => index % EVERY === 0)
  const { tried, findings, failures } = await search(counter, chosen)
  expect(findings).toEqual([])
  expect(failures).toEqual([])
  expect(tried).toBeGreaterThan(40)
})
