import { memo, useMemo, useState } from 'react'
import type { RequestTrace } from '../../../hosts/shared/channel'
import { runCommand } from '../../commands/registry'
import { Empty } from '../../components/Empty'
import { FilterField } from '../../components/FilterField'
import { durationText, olderText, timeText } from '../../components/format'
import { RequestPath } from '../../components/RequestPath'
import { Segments } from '../../components/Segments'
import { Split } from '../../components/Split'
import { VirtualRows } from '../../components/VirtualRows'
import type { LoggedRequest, Origin } from '../../state/logged-request'
import { KEPT } from '../../state/request-log'
import { useRequests } from '../../state/requests'
import { useFreshTraces } from '../../state/traces'
import { useScenario } from '../share/scenario-state'
import { Outcome } from './Outcome'
import { Recorded } from './Recorded'
import { RequestDetail } from './RequestDetail'
import { StageStrip } from './StageStrip'
import { LIST } from './texts'

type Whose = 'own' | 'script' | 'all' | 'recorded'

const WHOSE: { value: Whose; title: string }[] = [
  { value: 'own', title: LIST.mine },
  { value: 'script', title: LIST.scripts },
  { value: 'all', title: LIST.all },
]

/** Only for a workspace of a shared scenario. */
const RECORDED: (typeof WHOSE)[number] = { value: 'recorded', title: LIST.recorded }

const ORIGINS: Record<Whose, Origin[]> = {
  own: ['action', 'script'],
  script: ['script'],
  all: ['action', 'script', 'page'],
  recorded: [],
}

export default function Requests() {
  const log = useRequests((state) => state.log)
  const dropped = useRequests((state) => state.dropped)
  const selected = useRequests((state) => state.selected)
  const select = useRequests((state) => state.select)
  const clear = useRequests((state) => state.clear)
  const traces = useFreshTraces()
  const [text, setText] = useState('')
  const [whose, setWhose] = useState<Whose>('own')
  const [failed, setFailed] = useState(false)
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    return log
      .filter(
        (entry) =>
          ORIGINS[whose].includes(entry.origin) &&
          (!failed || hasFailed(entry)) &&
          holds(entry, words),
      )
      .reverse()
  }, [log, whose, failed, text])
  const entry = selected === undefined ? undefined : log.find(({ id }) => id === selected)
  const hasRecorded = useScenario((state) => state.recorded.length > 0)
  return (
    <>
      <div className="bar sub">
        <FilterField
          label={LIST.filter}
          hint={LIST.filterPlaceholder}
          words={text}
          onChange={setText}
        />
        <Segments
          label={LIST.whose}
          value={whose}
          choices={hasRecorded ? [...WHOSE, RECORDED] : WHOSE}
          onChoose={setWhose}
        />
        <button
          type="button"
          className="button quiet small"
          aria-pressed={failed}
          onClick={() => setFailed(!failed)}
        >
          {LIST.failed}
        </button>
        <span className="grow" />
        <button
          type="button"
          className="button quiet small wide-only"
          title={LIST.copyIssueTitle}
          onClick={() => runCommand('copy-issue')}
        >
          {LIST.copyIssue}
        </button>
        <button type="button" className="button quiet small" onClick={clear}>
          {LIST.clear}
        </button>
      </div>
      {whose === 'recorded' && hasRecorded ? (
        <Recorded />
      ) : shown.length === 0 ? (
        <Empty
          icon="requests"
          title={log.length === 0 || whose === 'own' ? LIST.noRequests : LIST.noMatches}
        >
          {LIST.about}
        </Empty>
      ) : (
        <Split
          label={LIST.request}
          list={
            <>
              <VirtualRows
                items={shown}
                keyOf={({ id }) => id}
                label={LIST.requests}
                row={(item) => (
                  <RequestRow
                    entry={item}
                    trace={traceOf(traces, item)}
                    chosen={item.id === selected}
                  />
                )}
              />
              {(dropped > 0 || whose === 'all') && <Bounds dropped={dropped} />}
            </>
          }
          detail={entry && <RequestDetail entry={entry} trace={traceOf(traces, entry)} />}
          onClose={() => select(undefined)}
        />
      )}
    </>
  )
}

function Bounds({ dropped }: { dropped: number }) {
  return (
    <p className="list-foot" role="note">
      {LIST.bounds(
        KEPT.action,
        KEPT.script,
        KEPT.page,
        dropped > 0 ? LIST.dropped(olderText(dropped)) : '',
      )}
    </p>
  )
}

const traceOf = (
  traces: ReadonlyMap<string, RequestTrace>,
  { responseHeaders }: LoggedRequest,
): RequestTrace | undefined => traces.get(responseHeaders?.['audit-id'] ?? '')

const hasFailed = ({ status = 0, failure }: LoggedRequest): boolean =>
  status >= 400 || failure !== undefined

function holds({ method, path, status, who }: LoggedRequest, words: string[]): boolean {
  const whole = `${method} ${path} ${status ?? ''} ${who}`.toLowerCase()
  return words.every((word) => whole.includes(word))
}

interface RequestRowProps {
  entry: LoggedRequest
  /** undefined if the engine no longer has it. */
  trace: RequestTrace | undefined
  chosen: boolean
}

const RequestRow = memo(function RequestRow({ entry, trace, chosen }: RequestRowProps) {
  const { id, at, method, path, who, origin, milliseconds = 0, open } = entry
  return (
    <button
      type="button"
      className="row request-row with-xray"
      aria-pressed={chosen}
      onClick={() => useRequests.getState().select(chosen ? undefined : id)}
    >
      <span className="time">{timeText(at)}</span>
      <span className={`method ${method.toLowerCase()}`}>{method}</span>
      <RequestPath path={path} />
      {trace && trace.spans.length > 0 ? <StageStrip trace={trace} /> : <span className="xray" />}
      <span className="who cut">{origin === 'action' ? who : LIST.by(who, origin)}</span>
      <Outcome entry={entry} />
      <span className="duration">{open ? LIST.open : durationText(milliseconds)}</span>
    </button>
  )
})
