/**
 * Records the table of `dynamic-operands.test.ts` from cel-go and the libraries of the API server:
 *
 *   npx tsx tests/cel/dynamic-operands/record.ts PROBE > tests/cel/dynamic-operands/outcomes.json
 *
 * PROBE is the program in `probe/main.go`, built with the modules of Kubernetes 1.31.0.
 */
import { spawnSync } from 'node:child_process'
import { serverEnvironment } from '../../../src/engine/cel/server-environment'
import { isRandom, KINDS, OPERANDS, type Outcomes, rowsOf, withoutType } from './cells'

interface Line {
  e: string
  compile?: string
  error?: string
  panic?: string
  type?: string
}

const rows = rowsOf(serverEnvironment({}, { use: 'stored', strictCost: false }))
const names = Object.keys(OPERANDS)

/** Every expression of the table. */
function* expressions(): Generator<string> {
  for (const value of Object.values(OPERANDS)) yield value
  for (const row of rows.values()) {
    for (const wrap of Object.values(KINDS)) {
      const operands = Object.values(OPERANDS).map(wrap)
      for (const first of operands) {
        if (row.holes === 1) yield row.write(first)
        else for (const second of operands) yield row.write(first, second)
      }
    }
  }
}

const given = [...new Set(expressions())]
const { stdout } = spawnSync(process.argv[2] as string, {
  input: given.map((text) => JSON.stringify(text)).join('\n'),
  encoding: 'utf8',
  maxBuffer: 2 ** 30,
})
const lines = stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)
const found = new Map(lines.map((line) => [line.e, line]))

function outcomeOf(text: string): string | undefined {
  const { compile, error, panic, type } = found.get(text) as Line
  const outcome = panic ?? compile?.split('\n')[0] ?? error ?? `= ${type}`
  return panic !== undefined || isRandom(outcome) ? undefined : outcome
}

function outcomes(write: (operand: string) => string, wrap: (value: string) => string): Outcomes {
  const byOutcome = new Map<string, string[]>()
  for (const name of names) {
    const value = OPERANDS[name] as string
    const outcome = outcomeOf(write(wrap(value)))
    if (outcome === undefined) continue
    const key = withoutType(outcome, (found.get(value) as Line).type ?? '')
    byOutcome.set(key, [...(byOutcome.get(key) ?? []), name])
  }
  const [first] = [...byOutcome].sort(([, a], [, b]) => b.length - a.length)
  const left = names.length - [...byOutcome.values()].reduce((sum, { length }) => sum + length, 0)
  return Object.fromEntries(
    [...byOutcome].map(([key, operands]) => [
      key,
      key === first?.[0] && operands.length > 1 && left === 0 ? 'others' : operands,
    ]),
  )
}

const recorded = [...rows].map(([text, row]) => {
  const kinds = Object.entries(KINDS).map(([kind, wrap]) => [
    kind,
    row.holes === 1
      ? outcomes(row.write, wrap)
      : Object.fromEntries(
          names.map((name) => [
            name,
            outcomes((second) => row.write(wrap(OPERANDS[name] as string), second), wrap),
          ]),
        ),
  ])
  const isSame = JSON.stringify(kinds[0]?.[1]) === JSON.stringify(kinds[1]?.[1])
  return `${JSON.stringify(text)}: ${JSON.stringify(Object.fromEntries(isSame ? kinds.slice(0, 1) : kinds))}`
})
process.stdout.write(`{\n${recorded.join(',\n')}\n}\n`)
