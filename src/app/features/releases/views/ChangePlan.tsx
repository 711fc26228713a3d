import { useEffect, useMemo, useState } from 'react'
import type { Release } from '../../../../engine/releases'
import type { LoggedRequest } from '../../../state/logged-request'
import { useRequests } from '../../../state/requests'
import { exportObjects } from '../../share/cluster'
import type { Step } from '../plan'
import type { Effect, StoredFinding } from '../stored-findings'
import { PLAN } from '../texts'
import { StepView } from './StepView'

interface Plan {
  steps: Step[]
  findings: StoredFinding[]
  lost: { request: LoggedRequest; apiVersion: string; kind: string; tooEarly: boolean }[]
}

async function planFor(from: Release, to: Release, log: readonly LoggedRequest[]): Promise<Plan> {
  const [{ stepsOf }, { storedFindings }, { requestsLost }, objects] = await Promise.all([
    import('../plan'),
    import('../stored-findings'),
    import('../moves'),
    exportObjects(),
  ])
  const steps = await stepsOf(from, to, objects)
  const people = log.filter(({ origin }) => origin !== 'page')
  return {
    steps,
    findings: await storedFindings({ objects, from, to }),
    lost: requestsLost(people, from, to).map(({ request, endpoint, tooEarly }) => ({
      request,
      apiVersion: endpoint.apiVersion,
      kind: endpoint.kind,
      tooEarly,
    })),
  }
}

/** Uses the log at the time of the plan. */
export function ChangePlan({ from, to }: { from: Release; to: Release }) {
  const [plan, setPlan] = useState<Plan>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    let current = true
    planFor(from, to, useRequests.getState().log).then(
      (made) => current && setPlan(made),
      (error: unknown) =>
        current && setFailure(error instanceof Error ? error.message : `${error}`),
    )
    return () => {
      current = false
    }
  }, [from, to])
  if (failure !== undefined)
    return (
      <p className="note bad" role="alert">
        {PLAN.failed(failure)}
      </p>
    )
  if (plan === undefined)
    return (
      <p className="soft" role="status">
        {PLAN.examining(to)}
      </p>
    )
  const [only] = plan.steps
  return (
    <>
      <Findings findings={plan.findings} to={to} />
      <LostRequests lost={plan.lost} to={to} />
      <section className="machine-part" aria-label={PLAN.steps}>
        <h3>{plan.steps.length === 1 ? PLAN.changes : PLAN.stepByStep}</h3>
        {plan.steps.length === 1 && only ? (
          <StepView step={only} open />
        ) : (
          plan.steps.map((step) => <StepView key={step.to} step={step} />)
        )}
      </section>
    </>
  )
}

const EFFECT_TITLES: Record<Effect, (to: Release) => string> = {
  unserved: (to) => PLAN.unserved(to),
  unknown: (to) => PLAN.unknown(to),
  gated: (to) => PLAN.gated(to),
  rejected: (to) => PLAN.rejected(to),
}

function Findings({ findings, to }: { findings: readonly StoredFinding[]; to: Release }) {
  const groups = useMemo(
    () =>
      (Object.keys(EFFECT_TITLES) as Effect[])
        .map((effect) => ({ effect, found: findings.filter((one) => one.effect === effect) }))
        .filter(({ found }) => found.length > 0),
    [findings],
  )
  return (
    <section className="machine-part" aria-label={PLAN.storedObjects}>
      <h3>
        {PLAN.storedObjects} <span className="count">{findings.length}</span>
      </h3>
      {groups.length === 0 && <p className="soft">{PLAN.noneStored}</p>}
      {groups.map(({ effect, found }) => (
        <div key={effect} className="plan-effect">
          <p className={effect === 'gated' ? 'plan-title warn' : 'plan-title bad'}>
            {EFFECT_TITLES[effect](to)}
          </p>
          <ul className="machine-requests">
            {found.map((finding) => (
              <FindingRow key={finding.object.metadata.uid} finding={finding} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

/** Further members are omitted. */
const MOST_MEMBERS = 6

function FindingRow({ finding: { object, members, message } }: { finding: StoredFinding }) {
  const { namespace, name } = object.metadata
  const more = members.length - MOST_MEMBERS
  return (
    <li>
      <span>
        {object.kind}{' '}
        <span className="mono">
          {namespace ? `${namespace}/` : ''}
          {name}
        </span>
      </span>
      {members.length > 0 && (
        <span className="mono small plan-members">
          {members.slice(0, MOST_MEMBERS).join(', ')}
          {more > 0 && PLAN.more(more)}
        </span>
      )}
      {message && <span className="soft small">{message}</span>}
    </li>
  )
}

function LostRequests({ lost, to }: { lost: Plan['lost']; to: Release }) {
  return (
    <section className="machine-part">
      <h3>
        {PLAN.lostRequests(to)} <span className="count">{lost.length}</span>
      </h3>
      {lost.length === 0 ? (
        <p className="soft">{PLAN.noneLost}</p>
      ) : (
        <ul className="machine-requests">
          {lost.map(({ request, apiVersion, kind, tooEarly }) => (
            <li key={request.id}>
              <span className="mono">
                {request.method} {request.path}
              </span>
              <span className="soft small">
                {PLAN.lost(apiVersion, kind, tooEarly ? PLAN.notYet : PLAN.removed)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
