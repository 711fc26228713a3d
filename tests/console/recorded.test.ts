/**
 * The console prints what the real kubectl printed on the same cluster. scripts/record-console.ts
 * records the output.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CASES } from './cases'
import { comparable, lineOf, type Outcome } from './cases/case'
import { runCase } from './run-case'

describe.each(CASES)('$name', (one) => {
  const recorded = JSON.parse(
    readFileSync(new URL(`recorded/${one.name}.json`, import.meta.url), 'utf8'),
  ) as Outcome[]
  const outcomes = runCase(one)

  it('matches its recording', () => {
    expect(recorded.map(({ line }) => line)).toEqual(one.steps.map(lineOf))
  })

  it.each(recorded.map((record, index) => ({ record, index, line: record.line })))(
    '$line',
    async ({ record, index }) => {
      const outcome = (await outcomes)[index]
      expect(outcome && comparable(outcome)).toEqual(comparable(record))
    },
  )
})
