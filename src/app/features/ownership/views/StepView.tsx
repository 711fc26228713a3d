import { prettyText } from '../../../components/format'
import { Icon } from '../../../components/Icon'
import { RequestPath } from '../../../components/RequestPath'
import { failureOf } from '../../manifests/failure'
import type { Step } from '../recipes'
import type { Done } from '../sending'
import { STEPS, sentTimes } from '../texts'
import { Effects } from './Effects'

interface StepViewProps {
  number: number
  step: Step
  past: Done | undefined
  later: boolean
  send: (() => void) | undefined
}

export function StepView({
  number,
  step: { title, about, request },
  past,
  later,
  send,
}: StepViewProps) {
  return (
    <li className={later ? 'step later' : 'step'}>
      <span className="step-number" aria-hidden="true">
        {past?.response.ok ? <Icon name="check" size={14} /> : number}
      </span>
      <div className="step-body">
        <p>
          <strong>{title}</strong>{' '}
          {past && (
            <span className={`chip ${past.response.ok ? 'good' : 'bad'}`}>
              {past.response.status}
            </span>
          )}
        </p>
        <p className="soft small">{about}</p>
        <details className="step-request">
          <summary>
            <span className="method patch">{request.method}</span>{' '}
            <RequestPath path={request.path} />
          </summary>
          <pre>
            {STEPS.contentType} {request.contentType}
            {'\n\n'}
            {prettyText(request.body)}
          </pre>
        </details>
        {past && past.times > 1 && <p className="soft small">{sentTimes(past.times)}</p>}
        {past && !past.response.ok && (
          <p className="note bad">{failureOf(past.response).message}</p>
        )}
        {past?.response.ok && <Effects effects={past.effects} none={STEPS.noEffect} />}
        {send && (
          <button type="button" className="button small" onClick={send}>
            {past ? STEPS.sendAgain : STEPS.send}
          </button>
        )}
      </div>
    </li>
  )
}
