/**
 * Sends random objects of every kind to a server, longer than the unit test does:
 *
 *   npm run fuzz:objects -- --runs 20000            about that many objects
 *   npm run fuzz:objects -- --runs 500 --kind Pod   of one kind
 */
import { parseArgs } from 'node:util'
import { seededRandom } from '../../src/engine/core/environment'
import { Server, tryOne } from './round-trip'
import { recordedSeeds } from './seeds'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    problems: { type: 'string', default: '20' },
  },
})
const random = seededRandom(Number(values.seed))
const draw = (limit: number) =>
  random.bytes(new Uint8Array(4)).reduce((sum, byte) => (sum * 256 + byte) % limit, 0)
const seeds = recordedSeeds().filter(
  ({ object }) => values.kind === undefined || object.kind === values.kind,
)
const kinds = [...new Set(seeds.map(({ object }) => `${object.apiVersion} ${object.kind}`))]
const byKind = new Map(
  kinds.map((kind) => [
    kind,
    seeds.filter(({ object }) => `${object.apiVersion} ${object.kind}` === kind),
  ]),
)
const created = new Map<string, number>()
const problems = new Map<string, string>()
const server = await new Server().start()
for (let run = 0; run < Number(values.runs); run++) {
  const kind = kinds[run % kinds.length] as string
  const ofKind = byKind.get(kind) ?? []
  const seed = ofKind[draw(ofKind.length)]
  if (seed === undefined) continue
  const tried = await tryOne(server, seed, draw, 3 + draw(20), `made-${run}`)
  if (tried.created) created.set(kind, (created.get(kind) ?? 0) + 1)
  if (tried.problem !== undefined)
    problems.set(`${kind} ${tried.problem.slice(0, 60)}`, tried.problem)
}
for (const problem of [...problems.values()].slice(0, Number(values.problems)))
  console.log(`${problem}\n`)
const never = kinds.filter((kind) => !created.has(kind))
console.log(
  `${[...created.values()].reduce((sum, count) => sum + count, 0)} objects of ${created.size} kinds created, ${problems.size} problems`,
)
if (never.length > 0) console.log(`never created: ${never.join(', ')}`)
process.exitCode = problems.size > 0 ? 1 : 0
