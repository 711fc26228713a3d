import {
  type Moment,
  type PolicyElement,
  type State,
  stateIn,
  type Verdict,
} from '../../../../engine/releases/deprecation-policy'
import { chartedReleases } from '../policy-releases'
import { CHART } from '../texts'

const STATE_WORDS: Record<State, string> = {
  absent: CHART.absent,
  there: CHART.present,
  deprecated: CHART.deprecated,
  hidden: CHART.hidden,
  removable: CHART.removable,
}

const STATE_MARKS: Record<State, string> = {
  absent: '',
  there: '●',
  deprecated: '◐',
  hidden: '◌',
  removable: '✕',
}

const MOMENT_WORDS: Record<Moment, string> = {
  introduced: CHART.introduced,
  'deprecate by': CHART.deprecateBy,
  deprecated: CHART.isDeprecated,
  raise: CHART.raise,
  hidden: CHART.hiddenByDefault,
  removable: CHART.mayBeRemoved,
}

export function DeprecationChart({
  element,
  verdict,
}: {
  element: PolicyElement
  verdict: Verdict
}) {
  return (
    <>
      <ol className="policy-chart" aria-label={CHART.title}>
        {chartedReleases(element, verdict).map((release) => {
          const state = stateIn(verdict, release)
          return (
            <li key={release} className={state} title={`${release}: ${STATE_WORDS[state]}`}>
              <span className="sign" aria-hidden="true">
                {STATE_MARKS[state]}
              </span>
              <span className="visually-hidden">{CHART.stateIn(STATE_WORDS[state])} </span>
              <span className="mono small">{release}</span>
            </li>
          )
        })}
      </ol>
      <ol className="policy-events">
        {verdict.events.map(({ release, day, expected, what, rule }) => (
          <li key={`${release} ${what}`}>
            <span className="mono">{release}</span>
            <span className="soft">{expected ? CHART.about(day) : day}</span>
            <span>
              {MOMENT_WORDS[what]}
              {rule && <span className="soft"> {CHART.rule(rule)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
