/** Counts the work of probes, and reports those whose work grows faster than their size. */
import type { WorkCounter } from '../work'
import type { Probe } from './probe'

/** The first is the base: what a request costs whatever its size. */
const SIZES = [2, 128, 512] as const
/** Above the base linear work grows by at most four times, sorting by five, and pairs by sixteen. */
const SUPERLINEAR = 7
/** Work that is too little to tell, such as a cache that is cleared. */
const NOISE = 20_000

export interface Counted {
  name: string
  /** By size. */
  work: number[]
  isTooFast: boolean
  failures: string[]
  /** Of the largest size: begins with the status. */
  response: string
}

export async function countWork(counter: WorkCounter, probe: Probe): Promise<Counted> {
  const failures: string[] = []
  const fail = (why: string) => failures.push(`${probe.name}: ${why}`)
  let response = ''
  const run = async (size: number): Promise<() => Promise<string>> => {
    const prepared = await probe.prepare(size, fail)
    return async () => (response = await prepared())
  }
  // What is prepared once for all requests is not counted.
  await (await run(SIZES[0]))()
  const work: number[] = []
  for (const size of SIZES) work.push(await counter.measure(await run(size)))
  const [base = 0, small = 0, large = 0] = work
  if (response === '') fail('no response')
  const isTooFast = large - base > SUPERLINEAR * Math.max(0, small - base) + NOISE
  return { name: probe.name, work, isTooFast, failures, response }
}
