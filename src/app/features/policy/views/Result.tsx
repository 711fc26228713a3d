import { UNBOUNDED } from '../../../../engine/cel/cost/factors'
import { EvaluationError } from '../../../../engine/cel/values/value'
import type { BenchOutcome, BenchResult } from '../bench'
import { budgetText, costRange, estimateOfRule, RESULT, SHARED } from '../texts'
import { valueText } from '../value-text'
import { HeatStrip } from './HeatStrip'
import { Meter } from './Meter'
import { PartTree } from './PartTree'

interface ResultProps {
  result: BenchResult
  chosen: number | undefined
  onChoose(part: number | undefined): void
}

export function Result({ result, chosen, onChoose }: ResultProps) {
  const { message, warnings, outcome, parts } = result
  return (
    <div className="scroll bench-result">
      <section aria-label={RESULT.region} aria-live="polite" className="bench-verdict">
        {message !== undefined ? (
          <pre className="note bad issue-text">{message}</pre>
        ) : (
          <Verdict result={result} />
        )}
        {warnings.length > 0 && (
          <ul className="note warn type-issues">
            {warnings.map((warning) => (
              <li key={`${warning.start} ${warning.message}`}>
                <strong>{RESULT.typeCheck}</strong> {warning.message}
              </li>
            ))}
          </ul>
        )}
      </section>
      {message === undefined && <Costs result={result} />}
      {outcome && outcome.cost > 0 && (
        <HeatStrip parts={parts} outcome={outcome} chosen={chosen} onChoose={onChoose} />
      )}
      {parts.length > 0 && (
        <PartTree parts={parts} outcome={outcome} chosen={chosen} onChoose={onChoose} />
      )}
    </div>
  )
}

function Verdict({ result: { outcome, type, place } }: { result: BenchResult }) {
  if (outcome === undefined) return <p className="soft">{RESULT.noInput}</p>
  const { error, value } = outcome
  const failed = error ?? (value instanceof EvaluationError ? value.message : undefined)
  if (failed !== undefined || value === undefined)
    return (
      <p className="verdict">
        <span className="chip bad">{RESULT.error}</span> <span className="mono wrap">{failed}</span>
      </p>
    )
  const tone = value === true ? 'good' : value === false ? 'bad' : 'mute'
  return (
    <p className="verdict">
      <span className={`chip ${tone} mono`}>{valueText(value, 400)}</span>{' '}
      <span className="soft mono">{type}</span>{' '}
      <span className="soft">{meaningOf(value, place.id)}</span>
    </p>
  )
}

function meaningOf(value: unknown, place: string): string {
  if (typeof value !== 'boolean') return ''
  if (place.endsWith('condition')) return value ? RESULT.matches : RESULT.skipped
  if (place === 'validation' || place === 'rule') return value ? RESULT.passes : RESULT.denied
  return ''
}

function Costs({ result: { outcome, place, estimate } }: { result: BenchResult }) {
  return (
    <dl className="bench-costs">
      {outcome && <Spent outcome={outcome} place={place} />}
      <dt>{RESULT.estimate}</dt>
      {place.kind === 'rule' && estimate ? (
        <dd>
          <Meter
            value={estimate.inObject ?? estimate.once.max}
            most={place.estimate.steps}
            of={place.estimate.title}
          />
          <span className="soft small">
            {estimateOfRule(
              rangeText(estimate.once),
              stepsText(estimate.inObject ?? estimate.once.max),
            )}
          </span>
        </dd>
      ) : (
        <dd className="soft">
          {estimate && `${rangeText(estimate.once)}. `}
          {RESULT.noLimit}
        </dd>
      )}
    </dl>
  )
}

function Spent({
  outcome: { cost, variableCost },
  place: { perCall, budget },
}: {
  outcome: BenchOutcome
  place: BenchResult['place']
}) {
  return (
    <>
      <dt>{SHARED.cost}</dt>
      <dd>
        <Meter value={cost} most={perCall.steps} of={perCall.title} />
        <span className="soft small">
          {budgetText(
            variableCost > 0 ? stepsText(variableCost) : undefined,
            budget.title,
            stepsText(budget.steps),
          )}
        </span>
      </dd>
    </>
  )
}

const stepsText = (steps: number): string =>
  steps >= UNBOUNDED ? RESULT.unbounded : steps.toLocaleString('en')
const rangeText = ({ min, max }: { min: number; max: number }): string =>
  min === max ? stepsText(min) : costRange(stepsText(min), stepsText(max))
