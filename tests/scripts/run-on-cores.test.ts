import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Job, runOnCores } from '../../scripts/run-on-cores'

interface Named extends Job {
  name: string
  ticks: number
}

/** Runs the jobs, each for its ticks. @returns starts and ends in order, and the most cores in use */
async function record(jobs: Named[], cores: number): Promise<{ log: string[]; most: number }> {
  const log: string[] = []
  let used = 0
  let most = 0
  await runOnCores(jobs, cores, async ({ name, cores: needed, ticks }) => {
    log.push(`${name} starts`)
    used += needed
    most = Math.max(most, used)
    for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate)
    used -= needed
    log.push(`${name} ends`)
  })
  return { log, most }
}

it('fills the cores, and lets a small job overtake one that does not fit', async () => {
  const { log } = await record(
    [
      { name: 'types', cores: 1, ticks: 4 },
      { name: 'unit', cores: 2, ticks: 1 },
      { name: 'lint', cores: 1, ticks: 1 },
    ],
    2,
  )
  expect(log).toEqual([
    'types starts',
    'lint starts',
    'lint ends',
    'types ends',
    'unit starts',
    'unit ends',
  ])
})

it('runs a job that needs more cores than there are alone', async () => {
  const { log, most } = await record(
    [
      { name: 'unit', cores: 2, ticks: 2 },
      { name: 'lint', cores: 1, ticks: 1 },
    ],
    1,
  )
  expect(log).toEqual(['unit starts', 'unit ends', 'lint starts', 'lint ends'])
  expect(most).toBe(2)
})

it('runs every job once, and never uses more cores than there are', async () => {
  const job = fc.record({
    cores: fc.integer({ min: 1, max: 3 }),
    ticks: fc.integer({ min: 0, max: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 8 }), async (jobs) => {
      const named = jobs.map((one, index) => ({ ...one, name: `job ${index}` }))
      const { log, most } = await record(named, 3)
      const events = named.flatMap(({ name }) => [`${name} starts`, `${name} ends`])
      expect(log.toSorted()).toEqual(events.toSorted())
      expect(most).toBeLessThanOrEqual(3)
    }),
  )
})
