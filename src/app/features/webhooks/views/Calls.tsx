import { useState } from 'react'
import { Empty } from '../../../components/Empty'
import { durationText, prettyText, timeText } from '../../../components/format'
import { Segments } from '../../../components/Segments'
import { KEPT_CALLS, KEPT_LINES, type LoggedCall, useHandlerCalls } from '../handler-calls'
import { CALLS, callsTitle, consoleTitle, lastCalls, lastLines } from '../texts'

type Shown = 'calls' | 'console'

export function Calls({ name }: { name: string }) {
  const [shown, setShown] = useState<Shown>('calls')
  const calls = useHandlerCalls((state) => state.calls)
  const lines = useHandlerCalls((state) => state.lines)
  const clear = useHandlerCalls((state) => state.clear)
  const own = calls.filter(({ handler }) => handler === name).reverse()
  const printed = lines.filter(({ handler }) => handler === name)
  return (
    <section className="panel handlers-calls" aria-label={CALLS.region}>
      <div className="bar sub">
        <Segments
          label={CALLS.shown}
          value={shown}
          choices={[
            { value: 'calls', title: callsTitle(own.length) },
            { value: 'console', title: consoleTitle(printed.length) },
          ]}
          onChoose={setShown}
        />
        <span className="grow" />
        <button type="button" className="button quiet small" onClick={() => clear(name)}>
          {CALLS.clear}
        </button>
      </div>
      {shown === 'calls' && calls.length === KEPT_CALLS && <Bound text={lastCalls(KEPT_CALLS)} />}
      {shown === 'console' && lines.length === KEPT_LINES && <Bound text={lastLines(KEPT_LINES)} />}
      {shown === 'console' ? <Printed lines={printed} /> : <CallList calls={own} />}
    </section>
  )
}

function Bound({ text }: { text: string }) {
  return <p className="soft small handlers-bound">{text}</p>
}

function Printed({ lines }: { lines: ReturnType<typeof useHandlerCalls.getState>['lines'] }) {
  if (lines.length === 0) return <Empty>{CALLS.noOutput}</Empty>
  return (
    <div className="scroll console" role="log" aria-label={CALLS.output}>
      {lines.map(({ id, level, text }) => (
        <div key={id} className={`console-line ${level}`}>
          {text}
        </div>
      ))}
    </div>
  )
}

function CallList({ calls }: { calls: LoggedCall[] }) {
  if (calls.length === 0) return <Empty>{CALLS.none}</Empty>
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
          {failure === undefined ? (status ?? CALLS.waiting) : CALLS.failed}
        </span>
        <span className="cut mono">
          {method} {pathname}
          <span className="query">{search}</span>
        </span>
        <span className="duration">
          {milliseconds === undefined ? CALLS.open : durationText(milliseconds)}
        </span>
      </summary>
      <div className="detail-body">
        {failure !== undefined && <p className="handlers-problem">{failure}</p>}
        {request !== '' && <Part title={CALLS.request} text={request} />}
        {response !== '' && <Part title={CALLS.response} text={response} />}
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
