/** Every request of this page and its scripts, newest first; each opens to what was sent and what came back. */

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
import { Strip } from './Xray'

type Whose = 'own' | 'script' | 'all' | 'recorded'

const WHOSE: { value: Whose; title: string }[] = [
  { value: 'own', title: 'Yours' },
  { value: 'script', title: 'Scripts' },
  { value: 'all', title: 'Everything' },
]

/** Only where the workspace came with a log. */
const RECORDED: (typeof WHOSE)[number] = { value: 'recorded', title: 'Recorded' }

const ORIGINS: Record<Whose, Origin[]> = {
  own: ['action', 'script'],
  script: ['script'],
  all: ['action', 'script', 'page'],
  recorded: [],
}

export default function Requests() {
  const { log, dropped, selected, select, clear } = useRequests()
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
          label="Filter requests"
          hint="Method, path, status, user"
          words={text}
          onChange={setText}
        />
        <Segments
          label="Whose requests"
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
          Failed
        </button>
        <span className="grow" />
        <button
          type="button"
          className="button quiet small wide-only"
          title="The last five requests as Markdown for an issue tracker, with a link to all this"
          onClick={() => runCommand('copy-issue')}
        >
          Copy as GitHub issue
        </button>
        <button type="button" className="button quiet small" onClick={clear}>
          Clear
        </button>
      </div>
      {whose === 'recorded' && hasRecorded ? (
        <Recorded />
      ) : shown.length === 0 ? (
        <Empty
          icon="requests"
          title={log.length === 0 || whose === 'own' ? 'No requests yet' : 'No such requests'}
        >
          Every action is an API request. They are listed here; copy any as kubectl, curl or fetch.
        </Empty>
      ) : (
        <Split
          label="Request"
          list={
            <>
              <VirtualRows
                items={shown}
                keyOf={({ id }) => id}
                label="Requests"
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

/** Reports dropped entries, so that no one searches for them. */
function Bounds({ dropped }: { dropped: number }) {
  return (
    <p className="list-foot" role="note">
      Showing the newest {KEPT.action.toLocaleString('en')} of yours,{' '}
      {KEPT.script.toLocaleString('en')} of scripts and {KEPT.page} of the page’s own
      {dropped > 0 && `; of yours and of scripts ${olderText(dropped)} not`}.
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
      {trace && trace.spans.length > 0 ? <Strip trace={trace} /> : <span className="xray" />}
      <span className="who cut">
        {origin === 'action' ? who : `${who}, ${origin === 'script' ? 'script' : 'page'}`}
      </span>
      <Outcome entry={entry} />
      <span className="duration">{open ? 'open' : durationText(milliseconds)}</span>
    </button>
  )
})
