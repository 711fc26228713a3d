/**
 * Grows every list, map, string and number of every built-in kind, and the probes (definitions,
 * patches, selectors, expressions, webhooks, configuration, controllers, scheduling), and prints each
 * whose work grows faster than its size. Bundled with copies of objects written as loops, which are
 * counted.
 *
 *   npm run hostile                 everything
 *   npm run hostile -- Pod          positions and probes whose name has that in it
 *   npm run hostile -- --from 1500  positions from a number on, without probes
 */
import { parseArgs } from 'node:util'
import { BY_RULE, PROBES } from './probes/all'
import { countWork } from './probes/count'
import { cases, type Finding, search } from './search'
import { WorkCounter } from './work'

const REPORT_EVERY = 100
/** Seconds after which a probe or a position is named as slow. */
const SLOW = 20

const print = ({ position, work }: Finding) =>
  console.log(`${position}: ${work.map((count) => count.toLocaleString('en')).join(' -> ')}`)

const { values, positionals } = parseArgs({
  options: { from: { type: 'string', default: '0' } },
  allowPositionals: true,
})
const [filter = ''] = positionals
const from = Number(values.from)
const counter = await new WorkCounter().start()
let findings = 0
let byRule = 0
const failures: string[] = []
const probes = PROBES.filter(({ name }) => from === 0 && name.includes(filter))
/** The probe or position that is being counted. */
let current = ''
/** Nothing is left to run, so no response can come. */
const endWithoutResponse = () => {
  console.log(`${current}: no response`)
  process.exit(1)
}
process.on('beforeExit', endWithoutResponse)
function nameIfSlow(name: string, begin: number): void {
  const seconds = process.uptime() - begin
  if (seconds > SLOW) console.error(`${name}: counted in ${seconds.toFixed(0)} s`)
}
for (const probe of probes) {
  current = probe.name
  const begin = process.uptime()
  const counted = await countWork(counter, probe)
  nameIfSlow(probe.name, begin)
  failures.push(...counted.failures)
  if (!counted.isTooFast) continue
  const rule = BY_RULE[probe.name]
  if (rule === undefined) {
    findings++
    print({ position: probe.name, work: counted.work })
  } else {
    byRule++
    console.log(`${probe.name}: by rule, ${rule}`)
  }
}
const chosen = (await cases()).slice(from).filter(({ name }) => name.includes(filter))
current = chosen[0]?.name ?? ''
let begin = process.uptime()
const found = await search(counter, chosen, (index, finding) => {
  nameIfSlow(current, begin)
  begin = process.uptime()
  current = chosen[index + 1]?.name ?? ''
  if (finding !== undefined) print(finding)
  if ((index + 1) % REPORT_EVERY === 0)
    console.error(
      `${index + 1} of ${chosen.length} positions after ${process.uptime().toFixed(0)} s`,
    )
})
await counter.stop()
process.off('beforeExit', endWithoutResponse)
findings += found.findings.length
failures.push(...found.failures)
for (const failure of failures) console.log(failure)
console.log(
  `${found.tried} positions, ${probes.length} probes; growth above linear: ${findings} (by rule: ${byRule}); no response or internal error: ${failures.length}`,
)
const isWhole = found.tried + probes.length > 0
process.exitCode = isWhole && findings === 0 && failures.length === 0 ? 0 : 1
