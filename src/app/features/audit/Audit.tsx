/** The audit events of the server, newest first, and the audit policy. */
import { useMemo, useState } from 'react'
import { isJsonObject } from '../../../engine/core/object'
import type { AuditEvent } from '../../../hosts/shared/channel'
import { isByPerson, type SeenRequest } from '../../../lessons/check'
import { copyText } from '../../components/copy'
import { Empty } from '../../components/Empty'
import { FilterField } from '../../components/FilterField'
import { timeText } from '../../components/format'
import { Icon } from '../../components/Icon'
import { RequestPath } from '../../components/RequestPath'
import { Segments } from '../../components/Segments'
import { Split } from '../../components/Split'
import { VirtualRows } from '../../components/VirtualRows'
import { eventWithoutCredentials } from '../../state/log-credentials'
import { KEPT_EVENTS, useFreshAudit } from '../../state/traces'
import { Explain } from '../explain/Explain'
import { AuditPolicy } from './AuditPolicy'

const WHICH = [
  { value: 'people', title: 'User writes' },
  { value: 'writes', title: 'All writes' },
  { value: 'all', title: 'Everything' },
] as const

const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection']

function isSelected(event: AuditEvent, which: (typeof WHICH)[number]['value']): boolean {
  if (which === 'all') return true
  return (
    WRITES.includes(event.verb) &&
    (which === 'writes' || isByPerson(event as unknown as SeenRequest))
  )
}

export default function Audit() {
  const { events, policy, failure } = useFreshAudit()
  const [which, setWhich] = useState<(typeof WHICH)[number]['value']>('people')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [policyShown, setPolicyShown] = useState(false)
  const rows = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    return events
      .map(rowOf)
      .filter(
        (row) => isSelected(row.event, which) && words.every((word) => row.words.includes(word)),
      )
      .reverse()
  }, [events, which, text])
  const row = rows.find(({ key }) => key === chosen)
  if (failure)
    return (
      <Empty icon="warning">
        The audit events could not be read: {failure}. Reload the page and try again.
      </Empty>
    )
  return (
    <>
      <div className="bar sub">
        <FilterField
          label="Filter audit events"
          hint="Verb, user, path, code"
          words={text}
          onChange={setText}
        />
        <Segments label="Which events" value={which} choices={WHICH} onChoose={setWhich} />
        <span className="grow" />
        <button
          type="button"
          className="button quiet small"
          aria-pressed={policyShown}
          onClick={() => setPolicyShown(!policyShown)}
        >
          <Icon name="filter" size={14} /> Audit policy
        </button>
      </div>
      {policyShown ? (
        <AuditPolicy onDone={() => setPolicyShown(false)} />
      ) : rows.length === 0 ? (
        <Nothing policy={policy} filtered={text !== '' || events.length > 0} />
      ) : (
        <Split
          label="Audit event"
          list={
            <>
              <VirtualRows
                items={rows}
                keyOf={({ number }) => number}
                label="Audit events"
                row={(item) => (
                  <AuditRow
                    row={item}
                    chosen={item.key === chosen}
                    onChoose={() => setChosen(item.key === chosen ? undefined : item.key)}
                  />
                )}
              />
              {events.length >= KEPT_EVENTS && (
                <p className="list-foot" role="note">
                  The server keeps the newest {KEPT_EVENTS.toLocaleString('en')} audit events.
                </p>
              )}
            </>
          }
          detail={row && <Detail event={row.event} />}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

function Nothing({ policy, filtered }: { policy: string | undefined; filtered: boolean }) {
  if (policy?.trim() === '')
    return (
      <Empty icon="eye" title="Auditing is off">
        The audit policy is empty. With one, the server records who did what, and the outcome.
      </Empty>
    )
  if (filtered) return <Empty icon="filter">No matching events. “All” includes reads.</Empty>
  return (
    <Empty icon="eye" title="No audit events yet">
      For each request that matches the audit policy, the server records who did what, and the
      outcome. Apply a manifest to see some events.
    </Empty>
  )
}

interface AuditEntry {
  key: string
  number: number
  event: AuditEvent
  user: string
  code: number | undefined
  at: number
  words: string
}

/** An event is one row, however often the list is drawn. */
const entries = new WeakMap<AuditEvent, AuditEntry>()
let lastNumber = 0

function rowOf(event: AuditEvent): AuditEntry {
  const known = entries.get(event)
  if (known !== undefined) return known
  const user =
    isJsonObject(event.user) && typeof event.user.username === 'string' ? event.user.username : ''
  const code =
    isJsonObject(event.responseStatus) && typeof event.responseStatus.code === 'number'
      ? event.responseStatus.code
      : undefined
  const words =
    `${event.verb} ${user} ${event.requestURI} ${code ?? ''} ${event.level} ${event.stage}`.toLowerCase()
  const at = typeof event.stageTimestamp === 'string' ? Date.parse(event.stageTimestamp) : 0
  const entry = {
    key: `${event.auditID} ${event.stage}`,
    number: ++lastNumber,
    event,
    user,
    code,
    at,
    words,
  }
  entries.set(event, entry)
  return entry
}

function AuditRow({
  row,
  chosen,
  onChoose,
}: {
  row: AuditEntry
  chosen: boolean
  onChoose: () => void
}) {
  const { event, user, code, at } = row
  return (
    <button type="button" className="row audit-row" aria-pressed={chosen} onClick={onChoose}>
      <span className="time">{timeText(at)}</span>
      <span className={`method ${event.verb}`}>{event.verb}</span>
      <RequestPath path={event.requestURI} />
      <span className="who cut">{user}</span>
      <span className={`status ${(code ?? 0) >= 400 ? 'bad' : 'good'}`}>{code ?? event.stage}</span>
    </button>
  )
}

/** Members that are not shown in the summary; the JSON below has everything. */
const LEVEL_TEXTS = ['kind', 'apiVersion']

/** Members as they come; what has members itself in one line. */
function membersOf(event: object): [name: string, text: string][] {
  return Object.entries(event)
    .filter(([name]) => !LEVEL_TEXTS.includes(name))
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
}

function Detail({ event }: { event: AuditEvent }) {
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
          <button
            type="button"
            className="button small"
            onClick={() => void copyText(text, 'The audit event')}
          >
            <Icon name="copy" size={14} /> Copy
          </button>
        </div>
      </header>
      <div className="scroll detail-body">
        <section className="part" aria-label="Fields">
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
          <summary>Raw</summary>
          <pre>{text}</pre>
        </details>
      </div>
    </>
  )
}
