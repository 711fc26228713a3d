/**
 * Records kubectl's output for tests/console/cases, each on a new server.
 *
 *     KUBECTL=/path/to/kubectl npm run record-console             writes tests/console/recorded
 *     KUBECTL=/path/to/kubectl npm run record-console -- --check  prints changes without writing
 *     … -- reading mistakes                                       selects cases
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { findKubectl } from '../tests/client/kubectl'
import { CASES } from '../tests/console/cases'
import { comparable, type Outcome } from '../tests/console/cases/case'
import { recordCase } from '../tests/console/record-case'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' } },
})
const program = findKubectl()
if (program === undefined) throw new Error('no kubectl on PATH: name one in KUBECTL')
const folder = new URL('../tests/console/recorded/', import.meta.url)
mkdirSync(folder, { recursive: true })
let changes = 0
for (const one of CASES.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
)) {
  const file = new URL(`${one.name}.json`, folder)
  const outcomes = (await recordCase(program, one)).map((outcome) => ({
    line: outcome.line,
    ...comparable(outcome),
  }))
  if (values.check) {
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as Outcome[]
    const changed = outcomes.filter(
      (outcome, index) => !isDeepStrictEqual(outcome, recorded[index]),
    )
    for (const { line } of changed) console.log(`changed: ${line}`)
    changes += changed.length
  } else writeFileSync(file, `${JSON.stringify(outcomes, null, 1)}\n`)
  console.log(`${one.name}: ${outcomes.length} lines`)
}
process.exit(changes === 0 ? 0 : 1)
