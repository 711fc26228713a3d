import { useMemo, useState } from 'react'
import { Empty } from '../../components/Empty'
import { FilterField } from '../../components/FilterField'
import { timeText } from '../../components/format'
import { Icon } from '../../components/Icon'
import { RequestPath } from '../../components/RequestPath'
import { Segments } from '../../components/Segments'
import { Split } from '../../components/Split'
import { VirtualRows } from '../../components/VirtualRows'
import { KEPT_EVENTS, useFreshAudit } from '../../state/traces'
import { AuditEventDetail } from './AuditEventDetail'
import { AuditPolicy } from './AuditPolicy'
import { type AuditEntry, type EventSelection, entriesOf } from './entries'
import { AUDIT, keptEvents, NO_EVENTS, readFailed } from './texts'

const WHICH = [
  { value: 'people', title: AUDIT.userWrites },
  { value: 'writes', title: AUDIT.allWrites },
  { value: 'all', title: AUDIT.everything },
] as const

export default function Audit() {
  const { events, policy, failure } = useFreshAudit()
  const [which, setWhich] = useState<EventSelection>('people')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [policyShown, setPolicyShown] = useState(false)
  const rows = useMemo(() => entriesOf(events, which, text), [events, which, text])
  const row = rows.find(({ key }) => key === chosen)
  if (failure) return <Empty icon="warning">{readFailed(failure)}</Empty>
  return (
    <>
      <div className="bar sub">
        <FilterField label={AUDIT.filter} hint={AUDIT.filterHint} words={text} onChange={setText} />
        <Segments label={AUDIT.which} value={which} choices={WHICH} onChoose={setWhich} />
        <span className="grow" />
        <button
          type="button"
          className="button quiet small"
          aria-pressed={policyShown}
          onClick={() => setPolicyShown(!policyShown)}
        >
          <Icon name="filter" size={14} /> {AUDIT.policy}
        </button>
      </div>
      {policyShown ? (
        <AuditPolicy onDone={() => setPolicyShown(false)} />
      ) : rows.length === 0 ? (
        <Nothing policy={policy} filtered={text !== '' || events.length > 0} />
      ) : (
        <Split
          label={AUDIT.event}
          list={
            <>
              <VirtualRows
                items={rows}
                keyOf={({ number }) => number}
                label={AUDIT.events}
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
                  {keptEvents(KEPT_EVENTS)}
                </p>
              )}
            </>
          }
          detail={row && <AuditEventDetail event={row.event} />}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

function Nothing({ policy, filtered }: { policy: string | undefined; filtered: boolean }) {
  if (policy?.trim() === '')
    return (
      <Empty icon="eye" title={NO_EVENTS.offTitle}>
        {NO_EVENTS.off}
      </Empty>
    )
  if (filtered) return <Empty icon="filter">{NO_EVENTS.noMatches}</Empty>
  return (
    <Empty icon="eye" title={NO_EVENTS.noneTitle}>
      {NO_EVENTS.none}
    </Empty>
  )
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
