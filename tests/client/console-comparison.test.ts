/**
 * The records that the console is held to (tests/console/recorded) are what the installed kubectl still prints: some lines of each
 * case whose lines change nothing. `npm run record-console -- --check` requests all of them.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CASES } from '../console/cases'
import { comparable, lineOf, type Outcome } from '../console/cases/case'
import { recordCase } from '../console/record-case'
import { findKubectl } from './kubectl'

const program = findKubectl()
/** Each line costs a third of a second of a quiet machine. */
const EVERY = 13

if (program === undefined) it.skip('kubectl not installed: not run')
else {
  describe.each(CASES.filter(({ independent }) => independent))('$name', (one) => {
    it('is as it was recorded', { timeout: 120_000 }, async () => {
      const recorded = JSON.parse(
        readFileSync(new URL(`../console/recorded/${one.name}.json`, import.meta.url), 'utf8'),
      ) as Outcome[]
      const steps = one.steps.filter((_, index) => index % EVERY === 0)
      const outcomes = await recordCase(program, { ...one, steps })
      const expected = steps.map((step) => recorded.find(({ line }) => line === lineOf(step)))
      expect(outcomes.map(comparable)).toEqual(
        expected.map((outcome) => outcome && comparable(outcome)),
      )
    })
  })
}
