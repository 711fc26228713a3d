import './lessons.css'
import './incidents.css'
import { useEffect, useState } from 'react'
import type { Incident } from '../../../../lessons/incident'
import { Icon } from '../../../components/Icon'
import { useConnection } from '../../../state/connection'
import { INCIDENT_HERE } from '../../../state/lesson-workspace'
import { useIncidentRoom } from '../incident-room'
import { INCIDENT, spanText } from '../incident-texts'
import { IncidentActions } from './IncidentActions'
import { IncidentReview } from './IncidentReview'
import { Paragraphs, Words } from './Paragraphs'

const LOOK_MILLISECONDS = 1000

export default function IncidentPanel() {
  const incident = useIncidentRoom((state) => state.incident)
  const busy = useIncidentRoom((state) => state.busy)
  const failure = useIncidentRoom((state) => state.failure)
  const solved = useIncidentRoom((state) => state.solved)
  const [open, setOpen] = useState(true)
  useLooks()
  if (incident === undefined) return null
  return (
    <aside
      className={open ? 'panel lesson incident' : 'panel lesson incident closed'}
      aria-label={INCIDENT.panel(incident.title)}
    >
      <header className="bar">
        <Icon name={solved === undefined ? 'warning' : 'check'} />
        <h2 className="cut">{incident.title}</h2>
        <span className="grow" />
        <button
          type="button"
          className="button quiet icon-only"
          aria-expanded={open}
          aria-label={INCIDENT.show}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'down' : 'chevron'} />
        </button>
      </header>
      {open && (
        <div className="scroll lesson-body">
          <Pager incident={incident} />
          {busy !== undefined && (
            <p className="soft" role="status">
              {busy}
            </p>
          )}
          {failure !== undefined && (
            <p className="note bad" role="alert">
              {failure}
            </p>
          )}
          <div role="status">{solved !== undefined && <IncidentReview incident={incident} />}</div>
          {solved === undefined && busy === undefined && <Goal incident={incident} />}
          {solved === undefined && busy === undefined && <Hints incident={incident} />}
          <IncidentActions incident={incident} seed={INCIDENT_HERE?.seed ?? 1} />
        </div>
      )}
    </aside>
  )
}

function useLooks(): void {
  const connected = useConnection((state) => state.connection !== undefined)
  useEffect(() => {
    if (!connected) return
    const { enter, look } = useIncidentRoom.getState()
    void enter()
    const timer = setInterval(() => {
      if (!document.hidden) void look()
    }, LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [connected])
}

function Pager({ incident: { story } }: { incident: Incident }) {
  const begun = useIncidentRoom((state) => state.begun)
  const now = useIncidentRoom((state) => state.now)
  const solved = useIncidentRoom((state) => state.solved)
  return (
    <section className="incident-pager" aria-label={INCIDENT.pager}>
      <Paragraphs text={story} />
      {begun !== undefined && solved === undefined && now >= begun && (
        <p className="soft small incident-time">{INCIDENT.elapsed(spanText(now - begun))}</p>
      )}
    </section>
  )
}

function Goal({ incident: { solved } }: { incident: Incident }) {
  const checks = useIncidentRoom((state) => state.checks)
  const heldSince = useIncidentRoom((state) => state.heldSince)
  const now = useIncidentRoom((state) => state.now)
  const left = heldSince === undefined ? 0 : Math.ceil(solved.hold - (now - heldSince) / 1000)
  return (
    <section>
      <h3 className="incident-heading">{INCIDENT.goal}</h3>
      <ul className="lesson-checks" aria-live="polite">
        {checks.map(({ waitingFor, holds }) => (
          <li key={waitingFor} className={holds ? 'good' : 'soft'}>
            <Icon name={holds ? 'check' : 'circle'} size={14} /> {waitingFor}
            <span className="visually-hidden">{holds ? INCIDENT.yes : INCIDENT.notYet}</span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className="soft small">{INCIDENT.holding(left)}</p>}
    </section>
  )
}

function Hints({ incident: { hints } }: { incident: Incident }) {
  const opened = useIncidentRoom((state) => state.hints)
  const openHint = useIncidentRoom((state) => state.openHint)
  return (
    <section className="incident-hints" aria-label={INCIDENT.hints}>
      {hints.slice(0, opened).map((hint, index) => (
        <p key={hint} className="note lesson-hint">
          <strong>{INCIDENT.hint(index + 1)}</strong> <Words text={hint} />
        </p>
      ))}
      {opened < hints.length && (
        <div className="button-row">
          <button type="button" className="button small" onClick={openHint}>
            {INCIDENT.openHint(opened + 1)}
          </button>
        </div>
      )}
    </section>
  )
}
