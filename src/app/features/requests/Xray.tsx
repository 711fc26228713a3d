import type { QueryAttributes } from '../../../hosts/shared/access'
import type { RequestTrace } from '../../../hosts/shared/channel'
import { durationText } from '../../components/format'
import { openAccess } from '../access/state'
import { Explain } from '../explain/Explain'
import { PolicyResults } from './PolicyResults'
import { stopOf } from './stages'
import { PIPELINE } from './texts'

type UserInfo = NonNullable<RequestTrace['user']>

/** The browser's clock resolves a tenth of a millisecond. */
function shortTime(milliseconds: number): string {
  if (milliseconds < 0.1) return PIPELINE.shortest
  return milliseconds < 1 ? `${Math.round(milliseconds * 1000)} µs` : durationText(milliseconds)
}

function explain(user: UserInfo, target: QueryAttributes): void {
  const where = target.namespace === '' ? {} : { namespace: target.namespace }
  openAccess('rights', {
    subject: { kind: 'User', ...user },
    revision: undefined,
    explained: target,
    ...where,
  })
}

/** @param failureShown the failure is shown elsewhere */
export function Xray({
  trace,
  failureShown = false,
}: {
  trace: RequestTrace
  failureShown?: boolean
}) {
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
    <section className="part" aria-label={PIPELINE.stages}>
      <h2>{PIPELINE.title(shortTime(milliseconds))}</h2>
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
                <span className="soft"> {PIPELINE.as(impersonated.name)}</span>
              )}
              {span.stage === 'authorization' && authorization && span !== stop && (
                <span className="soft">
                  {' '}
                  {authorization.decision === 'allow' ? PIPELINE.allowed : PIPELINE.forbidden}
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
                  {PIPELINE.why}
                </button>
              </span>
            )}
            {span === stop && failure && !failureShown && (
              <span className="stage-why">{failure}</span>
            )}
          </li>
        ))}
      </ol>
      {policies.length > 0 && (
        <PolicyResults findings={policies} shown={failureShown ? (failure ?? '') : ''} />
      )}
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
