/** The deprecation policy as a calculator: an element in, the earliest release without it out, with the rule and a chart. */
import { useState } from 'react'
import type { Stage } from '../../../../engine/releases'
import { ALL_RELEASES, compareReleases, releaseAfter } from '../../../../engine/releases'
import {
  type ElementKind,
  evaluate,
  KINDS,
  type Moment,
  type PolicyElement,
  RULES,
  type RuleNumber,
  type State,
  stateIn,
  type Verdict,
} from '../../../../engine/releases/deprecation-policy'
import { Segments } from '../../../components/Segments'

const STAGES = [
  { value: 'alpha', title: 'Alpha' },
  { value: 'beta', title: 'Beta' },
  { value: 'stable', title: 'Stable' },
] as const

/** Far enough to deprecate something of today. */
const NEXT = 8
const CHOICES = [
  ...Array.from({ length: 15 }, (_, minor) => `1.${minor}`),
  ...ALL_RELEASES,
  ...Array.from({ length: NEXT }, (_, i) => releaseAfter(ALL_RELEASES.at(-1) ?? '', i + 1)),
]

const FIRST: PolicyElement = {
  kind: 'api-version',
  stage: 'beta',
  introduced: '1.8',
  deprecated: '1.21',
  replacement: { stage: 'stable', introduced: '1.21' },
}

export function DeprecationPolicy() {
  const [element, setElement] = useState(FIRST)
  const verdict = evaluate(element)
  return (
    <div className="policy scroll">
      <ElementForm element={element} onChange={setElement} />
      <VerdictView element={element} verdict={verdict} />
      <Chart element={element} verdict={verdict} />
      <Rules verdict={verdict} />
    </div>
  )
}

interface ElementFormProps {
  element: PolicyElement
  onChange(element: PolicyElement): void
}

function ElementForm({ element, onChange }: ElementFormProps) {
  const { kind, stage, introduced, deprecated, replacement } = element
  const without = (member: 'deprecated' | 'replacement'): PolicyElement => {
    const { [member]: _left, ...rest } = element
    return rest
  }
  return (
    <form className="policy-form" onSubmit={(event) => event.preventDefault()}>
      <label>
        What it is
        <select
          className="field"
          value={kind}
          onChange={(event) => onChange({ ...element, kind: event.target.value as ElementKind })}
        >
          {Object.entries(KINDS).map(([id, { title }]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <span className="soft small">For example {KINDS[kind].examples}</span>
      </label>
      <div>
        <span>How stable</span>
        <Segments
          label="How stable"
          value={stage}
          choices={STAGES}
          onChoose={(value) => onChange({ ...element, stage: value })}
        />
      </div>
      <ReleaseField
        label="Introduced"
        value={introduced}
        onChange={(value) => onChange({ ...element, introduced: value ?? introduced })}
      />
      <ReleaseField
        label="Deprecated"
        none="not yet"
        value={deprecated}
        onChange={(value) =>
          onChange(value === undefined ? without('deprecated') : { ...element, deprecated: value })
        }
      />
      <label>
        Replacement
        <select
          className="field"
          value={replacement?.stage ?? ''}
          onChange={(event) => {
            const chosen = event.target.value as Stage | ''
            onChange(
              chosen === ''
                ? without('replacement')
                : {
                    ...element,
                    replacement: {
                      stage: chosen,
                      introduced: replacement?.introduced ?? introduced,
                    },
                  },
            )
          }}
        >
          <option value="">none</option>
          {STAGES.map(({ value, title }) => (
            <option key={value} value={value}>
              {title.toLowerCase()}
            </option>
          ))}
        </select>
      </label>
      {replacement && (
        <ReleaseField
          label="which came in"
          value={replacement.introduced}
          onChange={(value) =>
            onChange({
              ...element,
              replacement: { ...replacement, introduced: value ?? replacement.introduced },
            })
          }
        />
      )}
    </form>
  )
}

interface ReleaseFieldProps {
  label: string
  value: string | undefined
  /** Label of the empty option; absent: a release is required. */
  none?: string
  onChange(release: string | undefined): void
}

function ReleaseField({ label, value, none, onChange }: ReleaseFieldProps) {
  return (
    <label>
      {label}
      <select
        className="field"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {CHOICES.map((release) => (
          <option key={release}>{release}</option>
        ))}
      </select>
    </label>
  )
}

function VerdictView({
  element,
  verdict: { removal, by, problems },
}: {
  element: PolicyElement
  verdict: Verdict
}) {
  return (
    <div className="policy-verdict" aria-live="polite">
      {removal === 'never' ? (
        <p>
          <strong>It stays.</strong>{' '}
          {element.kind === 'api-element'
            ? 'Only a new version of its group can be without it.'
            : 'Not in this major version.'}
        </p>
      ) : removal === 'not deprecated' ? (
        <p>
          <strong>It has to be deprecated first.</strong> Select a release to see when it can be
          removed.
        </p>
      ) : (
        <p>
          <strong>{removal.release}</strong> is the first release that can remove it,{' '}
          {removal.expected ? 'expected about' : 'of'} {removal.day}.
        </p>
      )}
      <p className="soft">
        Rule {by}: {RULES[by]}
      </p>
      {problems.map(({ rule, text }) => (
        <p key={text} className="note warn">
          {text}{' '}
          {rule === undefined
            ? ''
            : rule === by
              ? `(rule ${rule})`
              : `Rule ${rule}: ${RULES[rule]}`}
        </p>
      ))}
    </div>
  )
}

const STATE_WORDS: Record<State, string> = {
  absent: 'not there',
  there: 'there',
  deprecated: 'deprecated, works',
  hidden: 'hidden',
  removable: 'can be removed',
}

const STATE_MARKS: Record<State, string> = {
  absent: '',
  there: '●',
  deprecated: '◐',
  hidden: '◌',
  removable: '✕',
}

const MOMENT_WORDS: Record<Moment, string> = {
  introduced: 'Introduced',
  'deprecate by': 'Must be deprecated',
  deprecated: 'Deprecated',
  raise: 'Preferred and storage version can change',
  hidden: 'It is hidden by default',
  removable: 'May be removed',
}

function Chart({ element, verdict }: { element: PolicyElement; verdict: Verdict }) {
  const last = verdict.events.reduce(
    (latest, { release }) => (compareReleases(latest, release) < 0 ? release : latest),
    element.introduced,
  )
  const shown = CHOICES.filter(
    (release) =>
      compareReleases(releaseAfter(element.introduced, -1), release) <= 0 &&
      compareReleases(release, releaseAfter(last, 1)) <= 0,
  )
  return (
    <>
      <ol className="policy-chart" aria-label="State in each release">
        {shown.map((release) => {
          const state = stateIn(verdict, release)
          return (
            <li key={release} className={state} title={`${release}: ${STATE_WORDS[state]}`}>
              <span className="sign" aria-hidden="true">
                {STATE_MARKS[state]}
              </span>
              <span className="visually-hidden">{STATE_WORDS[state]} in </span>
              <span className="mono small">{release}</span>
            </li>
          )
        })}
      </ol>
      <ol className="policy-events">
        {verdict.events.map(({ release, day, expected, what, rule }) => (
          <li key={`${release} ${what}`}>
            <span className="mono">{release}</span>
            <span className="soft">{expected ? `about ${day}` : day}</span>
            <span>
              {MOMENT_WORDS[what]}
              {rule && <span className="soft"> (rule {rule})</span>}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

function Rules({ verdict: { by, events, duties, problems } }: { verdict: Verdict }) {
  const applying = new Set<RuleNumber | undefined>([
    by,
    ...duties,
    ...events.map(({ rule }) => rule),
    ...problems.map(({ rule }) => rule),
  ])
  return (
    <details className="policy-rules">
      <summary>All rules (applicable ones highlighted)</summary>
      <dl>
        {Object.entries(RULES).map(([number, text]) => (
          <div key={number} className={applying.has(number as RuleNumber) ? 'applies' : undefined}>
            <dt>
              {applying.has(number as RuleNumber) ? '▸ ' : ''}
              {number}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
