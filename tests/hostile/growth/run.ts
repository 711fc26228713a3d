/**
 * Grows every list, map, string and number of every built-in kind, and the probes (definitions, patches, selectors, expressions,
 * webhooks, configuration, controllers, scheduling), and prints each whose work grows faster than its size.
 *
 *   npm run hostile                 everything
 *   npm run hostile -- Pod          positions and probes whose name has that in it
 */
import { BY_RULE, PROBES } from './probes/all'
import { countWork } from './probes/count'
import { cases, search } from './search'
import { WorkCounter } from './work'

const [filter = ''] = process.argv.slice(2)
const counter = await new WorkCounter().start()
const { tried, findings, failures } = await search(
  counter,
  cases().filter(({ name }) => name.includes(filter)),
)
let probes = 0
let byRule = 0
for (const probe of PROBES.filter(({ name }) => name.includes(filter))) {
  const counted = await countWork(counter, probe)
  probes++
  failures.push(...counted.failures)
  if (!counted.isTooFast) continue
  const rule = BY_RULE[probe.name]
  if (rule === undefined) findings.push({ position: probe.name, work: counted.work })
  else {
    byRule++
    console.log(`${probe.name}: by rule, ${rule}`)
  }
}
await counter.stop()
for (const { position, work } of findings)
  console.log(`${position}: ${work.map((count) => count.toLocaleString('en')).join(' -> ')}`)
for (const failure of failures) console.log(failure)
console.log(
  `${tried} positions, ${probes} probes; growth above linear: ${findings.length} (by rule: ${byRule}); no response or internal error: ${failures.length}`,
)
process.exitCode = tried + probes > 0 && findings.length === 0 && failures.length === 0 ? 0 : 1
