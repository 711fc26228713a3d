/** The last calls of a webhook or server, what went there and came back, and what it printed. */
import { type ReactNode, useState } from 'react'
import { Empty } from '../../../components/Empty'
import { durationText, prettyText, timeText } from '../../../components/format'
import { Segments } from '../../../components/Segments'
import { KEPT_CALLS, KEPT_LINES, type LoggedCall, useHandlerCalls } from '../handler-calls'

type Shown = 'calls' | 'console'

export function Calls({ name }: { name: string }) {
  const [shown, setShown] = useState<Shown>('calls')
  const calls = useHandlerCalls((state) => state.calls)
  const lines = useHandlerCalls((state) => state.lines)
  const clear = useHandlerCalls((state) => state.clear)
  const own = calls.filter(({ handler }) => handler === name).reverse()
  const printed = lines.filter(({ handler }) => handler === name)
  return (
    <section className="panel handlers-calls" aria-label="Calls">
      <div className="bar sub">
        <Segments
          label="What is shown"
          value={shown}
          choices={[
            { value: 'calls', title: `Calls ${own.length}` },
            { value: 'console', title: `Console ${printed.length}` },
          ]}
          onChoose={setShown}
        />
        <span className="grow" />
        <button type="button" className="button quiet small" onClick={() => clear(name)}>
          Clear
        </button>
      </div>
      {shown === 'calls' && calls.length === KEPT_CALLS && <Bound>{KEPT_CALLS} calls</Bound>}
      {shown === 'console' && lines.length === KEPT_LINES && <Bound>{KEPT_LINES} lines</Bound>}
      {shown === 'console' ? <Printed lines={printed} /> : <CallList calls={own} />}
    </section>
  )
}

/** Reports dropped entries, so that no one searches for them. */
function Bound({ children }: { children: ReactNode }) {
  return (
    <p className="soft small handlers-bound">
      The last {children} are shown; older calls were dropped.
    </p>
  )
}

function Printed({ lines }: { lines: ReturnType<typeof useHandlerCalls.getState>['lines'] }) {
  if (lines.length === 0) return <Empty>Output of console.log appears here.</Empty>
  return (
    <div className="scroll console" role="log" aria-label="Console output">
      {lines.map(({ id, level, text }) => (
        <div key={id} className={`console-line ${level}`}>
          {text}
        </div>
      ))}
    </div>
  )
}

function CallList({ calls }: { calls: LoggedCall[] }) {
  if (calls.length === 0)
    return (
      <Empty>No calls yet. Save, apply its configuration, then create a matching object.</Empty>
    )
  return (
    <div className="scroll">
      {calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </div>
  )
}

function Call({ call }: { call: LoggedCall }) {
  const { at, method, url, status, failure, milliseconds, request, response } = call
  const { pathname, search } = new URL(url)
  return (
    <details className="handlers-call">
      <summary>
        <span className="time">{timeText(at)}</span>
        <span
          className={`chip ${failure !== undefined || (status ?? 0) >= 400 ? 'bad' : status === undefined ? 'mute' : 'good'}`}
        >
          {failure === undefined ? (status ?? 'waiting') : 'failed'}
        </span>
        <span className="cut mono">
          {method} {pathname}
          <span className="query">{search}</span>
        </span>
        <span className="duration">
          {milliseconds === undefined ? 'open' : durationText(milliseconds)}
        </span>
      </summary>
      <div className="detail-body">
        {failure !== undefined && <p className="handlers-problem">{failure}</p>}
        {request !== '' && <Part title="Request" text={request} />}
        {response !== '' && <Part title="Response" text={response} />}
      </div>
    </details>
  )
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <div className="part">
      <h3>{title}</h3>
      <pre>{prettyText(text)}</pre>
    </div>
  )
}
