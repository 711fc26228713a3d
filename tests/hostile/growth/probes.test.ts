/** The short form of the probes of `npm run hostile`. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BY_RULE, PROBES } from './probes/all'
import { countWork } from './probes/count'
import { WorkCounter } from './work'

const EVERY = 67
/** Larger sizes take minutes. */
const MOST = 512

let counter: WorkCounter
beforeAll(async () => {
  counter = await new WorkCounter().start()
})
afterAll(() => counter.stop())

it('has a name for each probe, and rules for probes that exist', () => {
  const names = PROBES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(BY_RULE).filter((name) => !names.includes(name))).toEqual([])
})

it('sees a probe whose work is the square of its size', async () => {
  const pairs = (size: number) => {
    let [equal, smaller, larger] = [0, 0, 0]
    // Several blocks for each pair: one alone is close to the noise at these sizes.
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) {
        if (i === j) equal++
        if (i < j) smaller++
        if (i > j) larger++
      }
    return `${equal} ${smaller} ${larger}`
  }
  const probe = (run: (size: number) => string) =>
    countWork(counter, { name: 'test', prepare: async (size) => async () => run(size) }, MOST)
  expect((await probe(pairs)).isTooFast).toBe(true)
  expect((await probe((size) => 'a'.repeat(size))).isTooFast).toBe(false)
  expect((await probe(() => '')).failures).toEqual(['test: no response'])
})

it('finds no growth above linear in a part of all probes', { timeout: 300_000 }, async () => {
  const chosen = PROBES.filter(({ name }, index) => index % EVERY === 0 && !(name in BY_RULE))
  const found: string[] = []
  for (const probe of chosen) {
    const { name, work, isTooFast, failures } = await countWork(counter, probe, MOST)
    found.push(...failures, ...(isTooFast ? [`${name}: ${work.join(' -> ')}`] : []))
  }
  expect(found).toEqual([])
  expect(chosen.length).toBeGreaterThan(3)
})

it.each(['custom object: list against an enum', 'custom object: required'])(
  '%s is linear',
  async (wanted) => {
    const probe = PROBES.find(({ name }) => name === wanted)
    if (probe === undefined) throw new Error(`no probe ${wanted}`)
    expect(await countWork(counter, probe, MOST)).toMatchObject({ isTooFast: false, failures: [] })
  },
)
