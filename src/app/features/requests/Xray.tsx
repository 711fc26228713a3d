/**
 * The stages of a request, as timed by the engine: as a bar in a row, and in full next to the
 * response.
 */

import type { QueryAttributes } from '../../../hosts/shared/access'
import type { PolicyFinding, RequestTrace } from '../../../hosts/shared/channel'
import { durationText } from '../../components/format'
import { openAccess } from '../access/state'
import { Explain } from '../explain/Explain'

type Span = RequestTrace['spans'][number]
type UserInfo = NonNullable<RequestTrace['user']>

interface StageOfStrip {
  stage: Span['stage']
  title: string
}

/** In the order in which a request meets them. */
const STAGES: StageOfStrip[] = [
  { stage: 'authentication', title: 'who' },
  { stage: 'authorization', title: 'may' },
  { stage: 'routing', title: 'route' },
  { stage: 'decoding', title: 'decode' },
  { stage: 'ownership', title: 'own' },
  { stage: 'mutating admission', title: 'mutate' },
  { stage: 'strategy', title: 'prepare' },
  { stage: 'validation', title: 'validate' },
  { stage: 'validating admission', title: 'policy' },
  { stage: 'storage', title: 'store' },
  { stage: 'encoding', title: 'encode' },
]

/** A rejected request stopped in the stage that it entered last. */
function stopOf({ spans, status }: RequestTrace): Span | undefined {
  return status >= 400 ? spans[spans.length - 1] : undefined
}

export function Strip({ trace }: { trace: RequestTrace }) {
  const stop = stopOf(trace)
  return (
    <span
      className="xray"
      role="img"
      aria-label={stop ? `stopped in ${stop.stage}` : 'went through'}
    >
      {STAGES.map(({ stage }) => {
        const met = trace.spans.some((span) => span.stage === stage)
        return (
          <i
            key={stage}
            className={stop?.stage === stage ? 'stop' : met ? 'met' : ''}
            title={stage}
          />
        )
      })}
    </span>
  )
}

/** Microseconds for short times. The browser's clock resolves a tenth of a millisecond. */
function shortTime(milliseconds: number): string {
  if (milliseconds < 0.1) return '< 0.1 ms'
  return milliseconds < 1 ? `${Math.round(milliseconds * 1000)} µs` : durationText(milliseconds)
}

/** Opens the access view with the user and namespace of the request. */
function explain(user: UserInfo, target: QueryAttributes): void {
  const where = target.namespace === '' ? {} : { namespace: target.namespace }
  openAccess('rights', {
    subject: { kind: 'User', ...user },
    revision: undefined,
    explained: target,
    ...where,
  })
}

export function Xray({ trace }: { trace: RequestTrace }) {
  const {
    spans,
    failure,
    authorization,
    annotations,
    policies,
    milliseconds,
    user,
    impersonated,
    attributes,
  } = trace
  const stop = stopOf(trace)
  const begin = spans[0]?.start ?? 0
  const whole = Math.max(...spans.map(({ start, duration }) => start + duration - begin), 0.001)
  const notes = Object.entries(annotations)
  if (spans.length === 0) return null
  return (
    <section className="part" aria-label="Stages">
      <h2>Inside the server: {shortTime(milliseconds)}</h2>
      <ol className="stages">
        {spans.map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stage is its place in the order
          <li key={index} className={span === stop ? 'stage stop' : 'stage'}>
            <span className="stage-name">
              <Explain word="stage" name={span.stage} />
              {span.part && (
                <span className="soft">
                  {' '}
                  <Explain word="plugin" name={span.part} />
                </span>
              )}
              {span.stage === 'authentication' && user && (
                <span className="soft"> {user.name}</span>
              )}
              {span.stage === 'authorization' && impersonated && (
                <span className="soft"> as {impersonated.name}</span>
              )}
              {span.stage === 'authorization' && authorization && span !== stop && (
                <span className="soft">
                  {' '}
                  {authorization.decision === 'allow' ? 'allowed' : 'forbidden'}
                </span>
              )}
            </span>
            <span className="stage-track" aria-hidden="true">
              <i
                style={{
                  left: `${((span.start - begin) / whole) * 100}%`,
                  width: `${(span.duration / whole) * 100}%`,
                }}
              />
            </span>
            <span className="duration">{shortTime(span.duration)}</span>
            {span.stage === 'authorization' && authorization?.reason && (
              <span className="stage-why soft">{authorization.reason}</span>
            )}
            {span.stage === 'authorization' && attributes && user && (
              <span className="stage-why">
                <button
                  type="button"
                  className="link"
                  onClick={() => explain(impersonated ?? user, attributes)}
                >
                  Why? See the role chain and near misses
                </button>
              </span>
            )}
            {span === stop && failure && <span className="stage-why">{failure}</span>}
          </li>
        ))}
      </ol>
      {policies.length > 0 && <Policies findings={policies} />}
      {notes.length > 0 && (
        <dl className="headers">
          {notes.map(([name, value]) => (
            <div key={name}>
              <dt>
                <Explain word="audit" name={name} />
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

const DECISION_TEXTS: Record<PolicyFinding['validations'][number]['outcome'], string> = {
  holds: 'holds',
  fails: 'fails',
  unknown: 'unknown',
}

/** The validations of each policy, with their results and costs. */
function Policies({ findings }: { findings: readonly PolicyFinding[] }) {
  return (
    <ul className="xray-policies" aria-label="Policy results">
      {findings.map(({ policy, binding, param, outcome, message, validations }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the findings are a whole and their order is their identity
        <li key={index}>
          <strong>{policy}</strong>{' '}
          <span className="soft">
            by {binding}
            {param && ` with ${param}`}
            {outcome !== 'evaluated' && `: ${outcome}${message ? `, ${message}` : ''}`}
          </span>
          {validations.map((rule) => (
            <span
              key={rule.index}
              className={rule.outcome === 'holds' ? 'xray-rule' : 'xray-rule bad'}
            >
              rule {rule.index + 1} {DECISION_TEXTS[rule.outcome]}, cost{' '}
              {rule.cost.toLocaleString('en')}
              {rule.outcome !== 'holds' && rule.message && `: ${rule.message}`}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
