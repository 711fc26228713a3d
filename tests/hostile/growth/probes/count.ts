/** Counts the work of probes, and reports those whose work grows faster than their size. */
import { loadTables } from '../../../../src/engine/release-tables/load-tables'
import { DEFAULT_RELEASE } from '../../../../src/engine/releases/release'
import { CONFIRMED, growsTooFast, type Measured } from '../measure'
import type { WorkCounter } from '../work'
import { type Probe, SIZES } from './probe'

export interface Counted {
  name: string
  /** By size. */
  work: number[]
  isTooFast: boolean
  failures: string[]
  /** Of the largest size: begins with the status. */
  response: string
}

/** @param most the largest size, for a shorter search */
export async function countWork(
  counter: WorkCounter,
  probe: Probe,
  most = Number.POSITIVE_INFINITY,
): Promise<Counted> {
  await loadTables(DEFAULT_RELEASE)
  const given = probe.sizes ?? SIZES
  // Three sizes show growth, two nothing.
  const sizes = given.filter((size, index) => index < 3 || size <= most)
  const failures: string[] = []
  const fail = (why: string) => failures.push(`${probe.name}: ${why}`)
  let response = ''
  const run = async (size: number): Promise<() => Promise<string>> => {
    const prepared = await probe.prepare(size, fail)
    return async () => (response = await prepared())
  }
  const measure = async (size: number): Promise<Measured> => ({
    size,
    work: await counter.measure(await run(size)),
  })
  // What is prepared once for all requests is not counted; documents of each size are.
  for (const size of sizes.slice(0, 3)) await (await run(size / 2))()
  const measured: Measured[] = []
  for (const size of sizes) measured.push(await measure(size))
  if (growsTooFast(measured) && sizes.length === given.length)
    measured.push(await measure(CONFIRMED * (sizes.at(-1) as number)))
  if (response === '') fail('no response')
  const work = measured.map(({ work }) => work)
  return { name: probe.name, work, isTooFast: growsTooFast(measured), failures, response }
}
