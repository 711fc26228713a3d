import { useState } from 'react'
import { controllerName } from '../../../engine/causality/controller-name'
import type { Consequences, Step } from '../../../hosts/shared/channel'
import { HealthMark } from '../../components/HealthMark'
import { resourceOfKind, useDiscovery } from '../../state/discovery'
import { selectObject, useView } from '../../state/view'
import { healthOfStep } from './chain'
import { StepDifference } from './StepDifference'
import { reactedTo, TEXTS, VERBS } from './texts'

export function showStep({ object, namespace, name }: Step): void {
  const resource = resourceOfKind(useDiscovery.getState().resources, object.apiVersion, object.kind)
  if (resource !== undefined) selectObject({ resource, namespace, name })
}

export function Steps({ steps, truncated }: Consequences) {
  const byRevision = new Map(steps.map((step) => [step.revision, step]))
  return (
    <ol className="causes-steps" aria-label={TEXTS.steps}>
      {steps.map((step) => (
        <StepItem
          key={step.revision}
          step={step}
          cause={step.cause === undefined ? undefined : byRevision.get(step.cause)}
        />
      ))}
      {truncated && <li className="soft">{TEXTS.truncated}</li>}
    </ol>
  )
}

function StepItem({ step, cause }: { step: Step; cause: Step | undefined }) {
  const [open, setOpen] = useState(false)
  const { kind, name, type, fields, by } = step
  const health = healthOfStep(step)
  const why = [cause && reactedTo(cause.kind, cause.name), health.reason].filter(Boolean)
  return (
    <li>
      <span className="causes-by">{by === undefined ? TEXTS.byUser : controllerName(by)}</span>
      <span>
        {VERBS[type]}{' '}
        <button type="button" className="link" onClick={() => showStep(step)}>
          {kind} {name}
        </button>
        {fields.length > 0 && <code>{fields.join(', ')}</code>}
      </span>
      <HealthMark health={health} />
      <span className="causes-why soft">{why.join('. ')}</span>
      {type === 'MODIFIED' && (
        <span className="causes-more">
          <button
            type="button"
            className="link"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {TEXTS.difference}
          </button>
          <button
            type="button"
            className="link"
            onClick={() => {
              showStep(step)
              useView.getState().set({ objectTab: 'history' })
            }}
          >
            {TEXTS.history}
          </button>
        </span>
      )}
      {open && <StepDifference step={step} />}
    </li>
  )
}
