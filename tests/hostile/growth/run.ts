/**
 * Grows every list, map, string and number of every built-in kind, and prints each whose work grows faster than its size.
 *
 *   npm run hostile                 everything
 *   npm run hostile -- Pod          positions whose name has that in it
 */
import { cases, search } from './search'
import { WorkCounter } from './work'

const [filter = ''] = process.argv.slice(2)
const counter = await new WorkCounter().start()
const { tried, findings, failures } = await search(
  counter,
  cases().filter(({ name }) => name.includes(filter)),
)
await counter.stop()
for (const { position, work } of findings)
  console.log(`${position}: ${work.map((count) => count.toLocaleString('en')).join(' -> ')}`)
for (const failure of failures) console.log(failure)
console.log(
  `${tried} positions; growth above linear: ${findings.length}; no response or 500: ${failures.length}`,
)
process.exitCode = tried > 0 && findings.length === 0 && failures.length === 0 ? 0 : 1
