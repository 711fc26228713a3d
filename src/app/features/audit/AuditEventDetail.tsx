import type { AuditEvent } from '../../../hosts/shared/channel'
import { CopyButton } from '../../components/CopyButton'
import { eventWithoutCredentials } from '../../state/log-credentials'
import { Explain } from '../explain/Explain'
import { membersOf } from './entries'
import { EVENT } from './texts'

export function AuditEventDetail({ event }: { event: AuditEvent }) {
  const shown = eventWithoutCredentials(event)
  const text = JSON.stringify(shown, null, 2)
  return (
    <>
      <header className="detail-head">
        <p className="detail-title">
          <span className="chip mute">
            <Explain word="audit" name={event.level} />
          </span>{' '}
          <Explain word="audit" name={event.stage} />
        </p>
        <p className="mono wrap">
          <Explain word="verb" name={event.verb} /> {event.requestURI}
        </p>
        <div className="button-row">
          <CopyButton text={() => text} what={EVENT.copied} label={EVENT.copy} />
        </div>
      </header>
      <div className="scroll detail-body">
        <section className="part" aria-label={EVENT.fields}>
          <dl className="headers">
            {membersOf(shown).map(([name, value]) => (
              <div key={name}>
                <dt>
                  <Explain word="audit" name={name} />
                </dt>
                <dd className="audit-value" title={value}>
                  {value}
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <details>
          <summary>{EVENT.raw}</summary>
          <pre>{text}</pre>
        </details>
      </div>
    </>
  )
}
