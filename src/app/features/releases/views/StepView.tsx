import { countText } from '../../../components/format'
import type { Endpoint } from '../moves'
import { type GateChange, gatesByEffect, type Step, sortedGates } from '../plan'
import { changelogOf, RELEASE_NOTES } from '../release-notes'
import { STEP } from '../texts'

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
            {STEP.changelog(to)}
          </a>
        </p>
        {tables !== undefined && <p className="note">{STEP.derived(to, tables)}</p>}
        <div className="machine-lists">
          <EndpointList title={STEP.onlyIn(to)} sign="+" endpoints={endpoints.appear} />
          <EndpointList title={STEP.notIn(to)} sign="−" endpoints={endpoints.vanish} />
        </div>
        <section className="machine-part">
          <h3>{STEP.storageVersions}</h3>
          {storage.length === 0 ? (
            <p className="soft">{STEP.none}</p>
          ) : (
            <ul className="machine-endpoints mono small">
              {storage.map(({ group, kind, before, after, objects }) => (
                <li key={`${group} ${kind}`}>
                  {group === '' ? '' : `${group} `}
                  <strong>{kind}</strong> {before} → {after}
                  {objects > 0 && STEP.stored(objects)}
                </li>
              ))}
            </ul>
          )}
        </section>
        <section className="machine-part">
          <h3>{STEP.gates}</h3>
          <dl className="plan-gates">
            <Gates title={STEP.gatesOn} gates={gates.on} />
            <Gates title={STEP.gatesOff} gates={gates.off} />
            <Gates title={STEP.gatesRemoved(to)} gates={gates.gone} />
            <Gates title={STEP.gatesOther} gates={gates.others} />
          </dl>
          <GateEffects gates={step.gates} />
          {step.gates.length === 0 && <p className="soft">{STEP.noGates}</p>}
        </section>
        {behavior.length > 0 && (
          <section className="machine-part">
            <h3>{STEP.behavior}</h3>
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
    [endpoints.appear.length, STEP.newApi],
    [endpoints.vanish.length, STEP.removedApi],
    [storage.length, STEP.storageVersion],
    [gates.length, STEP.gate],
    [behavior.length, STEP.change, STEP.changes],
  ] as const
  const some = parts
    .filter(([count]) => count > 0)
    .map(([count, what, whats]) => countText(count, what, whats))
  return some.length === 0 ? STEP.nothing : some.join(', ')
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
        <p className="soft">{STEP.none}</p>
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

function GateEffects({ gates }: { gates: readonly GateChange[] }) {
  const effects = gatesByEffect(gates)
  if (effects.length === 0) return null
  return (
    <>
      <p className="soft">{STEP.gatesHere}</p>
      <dl className="plan-gates">
        {effects.map(({ kind, why, names }) => (
          <div key={`${kind} ${why}`}>
            <dt>
              {STEP.gateEffects[kind]}
              {why !== undefined && `: ${why}`} <span className="count">{names.length}</span>
            </dt>
            <dd className="mono small">
              {names.map((name) => (
                <span key={name} className="plan-gate">
                  {name}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const stageOf = (gate: GateChange['before']): string =>
  gate === undefined ? STEP.absent : STEP.stage(gate.stage, gate.default ? STEP.on : STEP.off)

const stagesOf = (before: GateChange['before'], after: GateChange['after']): string =>
  `${stageOf(before)} → ${stageOf(after)}`
