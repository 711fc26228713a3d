import type { CaseResult } from '../../../../policy-test/types'
import { failedCount, POLICIES, passedCount, shownCount, TESTS } from '../texts'
import type { TestRun } from '../use-policy-run'

export function TestSummary({ run: { results, failure, running } }: { run: TestRun }) {
  const count = (...outcomes: CaseResult['outcome'][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length
  const failed = count('failed', 'broken')
  return (
    <p className="policy-summary" role="status" aria-label={POLICIES.tests}>
      {failure !== undefined ? (
        <span className="chip bad">{TESTS.cannotRun}</span>
      ) : (
        <>
          {count('passed') > 0 && <span className="chip good">{passedCount(count('passed'))}</span>}
          {failed > 0 && <span className="chip bad">{failedCount(failed)}</span>}
          {count('shown') > 0 && <span className="chip mute">{shownCount(count('shown'))}</span>}
        </>
      )}
      {running && <span className="soft small">{TESTS.stillRunning}</span>}
    </p>
  )
}
