/**
 * The long form of the fuzzers, for hours when the machine has nothing better to do:
 *
 *   npm run fuzz -- --runs 100000                        about that many HTTP requests
 *   npm run fuzz -- --target yaml --runs 50000           one reader; `all` for one after another
 *   npm run fuzz -- --target yaml --seed 1 --path 0:1    a failure again, as its report names it
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { fuzz } from './fuzz'
import { TARGETS } from './targets'

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'http' },
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    path: { type: 'string' },
  },
})
const names = ['http', ...TARGETS.map(({ name }) => name)]
const runs = Number(values.runs)
if (
  !(names.includes(values.target) || values.target === 'all') ||
  !Number.isInteger(runs) ||
  runs < 1
) {
  console.error(
    `usage: npm run fuzz -- [--target ${[...names, 'all'].join('|')}] [--runs N] [--seed S] [--path P]`,
  )
  process.exit(2)
}
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const path = values.path === undefined ? {} : { path: values.path }

async function run(name: string): Promise<number> {
  const target = TARGETS.find((one) => one.name === name)
  if (target === undefined) return fuzz({ requests: runs, step: 1, seed, ...path })
  await fc.assert(target.property as fc.IAsyncProperty<unknown>, { numRuns: runs, seed, ...path })
  return runs
}

for (const name of values.target === 'all' ? names : [values.target]) {
  const started = performance.now()
  console.log(`${name}: seed ${seed}`)
  const done = await run(name)
  console.log(
    `${name}: ${done} ${name === 'http' ? 'requests' : 'runs'} in ${((performance.now() - started) / 1000).toFixed(0)} s: nothing found`,
  )
}
