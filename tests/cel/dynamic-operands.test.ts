/**
 * Operations on operands of dynamic type, compared with cel-go and the libraries of the API server
 * (`dynamic-operands/record.ts`).
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { AUTHORIZER, authorizerValue } from '../../src/engine/cel/library/authorizer'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'
import { typeNameOf, type Value } from '../../src/engine/cel/values/value'
import {
  isRandom,
  KINDS,
  OBJECT,
  OPERANDS,
  type Outcomes,
  outcomeFor,
  type RecordedRow,
  type Row,
  rowsOf,
  withoutType,
} from './dynamic-operands/cells'

const environment = serverEnvironment(
  { object: DYN, authorizer: AUTHORIZER },
  { use: 'stored', strictCost: false },
)
const activation = {
  ...activationOf({
    object: valueOfJson(OBJECT),
    authorizer: authorizerValue(() => ({ allowed: true, reason: 'why' })),
  }),
  isNative: () => true,
}

function outcomeOf(text: string): { outcome: string; type: string } {
  const { program, issues, failed } = compile(text, environment)
  if (program === undefined) {
    const first = issues.split('\n')[0]
    const stage = failed === 'compilation' ? 'compilation' : 'program instantiation'
    return { outcome: `${stage} failed: ${first}`, type: '' }
  }
  const { value, error } = program.evaluate(activation, { limit: 10_000_000 })
  const type = value === undefined ? '' : typeNameOf(value as Value)
  return { outcome: error ?? `= ${type}`, type }
}

const types = new Map(
  Object.entries(OPERANDS).map(([name, text]) => [name, outcomeOf(text).type] as const),
)

const recorded = JSON.parse(
  readFileSync(new URL('./dynamic-operands/outcomes.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, RecordedRow>>
const rows = rowsOf(environment)

/** Compares the cells of one dynamic operand. */
function* differences(
  write: (operand: string) => string,
  wrap: (value: string) => string,
  outcomes: Outcomes,
): Generator<string> {
  for (const [name, value] of Object.entries(OPERANDS)) {
    const expected = outcomeFor(outcomes, name)
    if (expected === undefined) continue
    const text = write(wrap(value))
    const { outcome } = outcomeOf(text)
    const shown = withoutType(outcome, types.get(name) as string)
    if (shown !== expected && !isRandom(outcome)) yield `${text}: ${shown}, expected ${expected}`
  }
}

function* rowDifferences(row: Row, kinds: RecordedRow): Generator<string> {
  for (const [kind, wrap] of Object.entries(KINDS)) {
    const cells = kinds[kind] ?? kinds.constant ?? {}
    if (row.holes === 1) yield* differences(row.write, wrap, cells as Outcomes)
    else {
      for (const [name, outcomes] of Object.entries(cells as Record<string, Outcomes>)) {
        const first = wrap(OPERANDS[name] as string)
        yield* differences((second) => row.write(first, second), wrap, outcomes)
      }
    }
  }
}

it('has a record of every operation', () => {
  expect([...rows.keys()].filter((text) => recorded[text] === undefined)).toEqual([])
})

it.each(Object.keys(recorded))('%s', (text) => {
  const row = rows.get(text)
  expect(row).toBeDefined()
  expect([...rowDifferences(row as Row, recorded[text] as RecordedRow)]).toEqual([])
})
