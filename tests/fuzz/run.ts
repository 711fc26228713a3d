/**
 * The long form of the fuzzer, for hours when the machine has nothing better to do:
 *
 *   npm run fuzz -- --runs 100000            about that many requests
 *   npm run fuzz -- --runs 1 --seed 1 --path 0:1   a failure again, as its report names it
 */
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' }, path: { type: 'string' } },
})
const started = performance.now()
const sent = await fuzz({
  requests: Number(values.runs),
  step: 1,
  ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
  ...(values.path === undefined ? {} : { path: values.path }),
})
console.log(`${sent} requests in ${((performance.now() - started) / 1000).toFixed(0)} s: nothing found`)
