/** One step from a release to the next: APIs, storage versions, feature gates and behavior. */
import { countText } from '../../../components/format'
import type { Endpoint } from '../moves'
import { type GateChange, type Step, sortedGates } from '../plan'
import { changelogOf, RELEASE_NOTES } from '../release-notes'

export function StepView({ step, open = false }: { step: Step; open?: boolean }) {
  const { from, to, endpoints, storage, behavior, tables } = step
  const gates = sortedGates(step.gates)
  const note = RELEASE_NOTES.find(({ release }) => release === to)
  return (
    <details className="plan-step" open={open}>
      <summary>
        <strong className="mono">
          {from} → {to}
        </strong>
        <span className="soft small">{summaryOf(step)}</span>
      </summary>
      <div className="plan-body">
        <p className="soft">
          {note && `${note.name}: ${note.hint}. `}
          <a className="link" href={changelogOf(to)} target="_blank" rel="noreferrer">
            Changelog of {to}
          </a>
        </p>
        {tables !== undefined && (
          <p className="note">
            No server of {to} was recorded: here it has the tables of {tables} and the changes of
            behavior up to {to}.
          </p>
        )}
        <div className="machine-lists">
          <EndpointList title={`Served by ${to} only`} sign="+" endpoints={endpoints.appear} />
          <EndpointList title={`Not served by ${to}`} sign="−" endpoints={endpoints.vanish} />
        </div>
        <section className="machine-part">
          <h3>Storage versions that change</h3>
          {storage.length === 0 ? (
            <p className="soft">None.</p>
          ) : (
            <ul className="machine-endpoints mono small">
              {storage.map(({ group, kind, before, after, objects }) => (
                <li key={`${group} ${kind}`}>
                  {group === '' ? '' : `${group} `}
                  <strong>{kind}</strong> {before} → {after}
                  {objects > 0 && `, ${objects} stored: rewritten with the next write`}
                </li>
              ))}
            </ul>
          )}
        </section>
        <section className="machine-part">
          <h3>Feature gates</h3>
          <dl className="plan-gates">
            <Gates title="On by default now" gates={gates.on} />
            <Gates title="Off now" gates={gates.off} />
            <Gates title={`Not in ${to}`} gates={gates.gone} />
            <Gates title="New, or of another stage" gates={gates.others} />
          </dl>
          {step.gates.length === 0 && <p className="soft">No gate changes.</p>}
        </section>
        {behavior.length > 0 && (
          <section className="machine-part">
            <h3>What clients see</h3>
            <ul className="plan-behavior">
              {behavior.map(({ name, does, source }) => (
                <li key={name}>
                  {does} <span className="soft small">{source}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </details>
  )
}

function summaryOf({ endpoints, storage, gates, behavior }: Step): string {
  const parts = [
    [endpoints.appear.length, 'new API'],
    [endpoints.vanish.length, 'removed API'],
    [storage.length, 'storage version'],
    [gates.length, 'feature gate'],
    [behavior.length, 'change of behavior', 'changes of behavior'],
  ] as const
  const some = parts
    .filter(([count]) => count > 0)
    .map(([count, what, whats]) => countText(count, what, whats))
  return some.length === 0 ? 'no recorded change' : some.join(', ')
}

function EndpointList({
  title,
  sign,
  endpoints,
}: {
  title: string
  sign: '+' | '−'
  endpoints: readonly Endpoint[]
}) {
  return (
    <section className="machine-part">
      <h3>
        {title} <span className="count">{endpoints.length}</span>
      </h3>
      {endpoints.length === 0 ? (
        <p className="soft">None.</p>
      ) : (
        <ul className="machine-endpoints mono small">
          {endpoints.map(({ apiVersion, resource }) => (
            <li key={`${apiVersion}/${resource}`}>
              <span aria-hidden="true" className={sign === '+' ? 'good' : 'bad'}>
                {sign}
              </span>{' '}
              {apiVersion} <strong>{resource}</strong>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Gates({ title, gates }: { title: string; gates: readonly GateChange[] }) {
  if (gates.length === 0) return null
  return (
    <div>
      <dt>
        {title} <span className="count">{gates.length}</span>
      </dt>
      <dd className="mono small">
        {gates.map(({ name, before, after }) => (
          <span key={name} className="plan-gate" title={stagesOf(before, after)}>
            {name}
          </span>
        ))}
      </dd>
    </div>
  )
}

const stageOf = (gate: GateChange['before']): string =>
  gate === undefined ? 'absent' : `${gate.stage}, ${gate.default ? 'on' : 'off'}`

const stagesOf = (before: GateChange['before'], after: GateChange['after']): string =>
  `${stageOf(before)} → ${stageOf(after)}`
