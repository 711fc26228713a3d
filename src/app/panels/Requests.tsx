/** Every request of this page and its scripts; each opens to what was sent and what came back. */
import { useMemo, useState } from 'react'
import { copyText } from '../components/copy'
import { asCurl, asFetch, asKubectl } from '../kubectl/equivalents'
import { type LoggedRequest, useRequests } from '../state/requests'

export function Requests() {
  const { log, selected, select, clear } = useRequests()
  const [filter, setFilter] = useState('')
  const [own, setOwn] = useState(false)
  const shown = useMemo(
    () =>
      log
        .filter(
          (entry) =>
            (own || entry.origin !== 'page') &&
            (filter === '' ||
              `${entry.method} ${entry.path} ${entry.status ?? ''} ${entry.who}`.toLowerCase().includes(filter.toLowerCase())),
        )
        .slice(-300)
        .reverse(),
    [log, own, filter],
  )
  return (
    <>
      <div className="bar" style={{ minHeight: 38 }}>
        <input
          className="field"
          type="search"
          placeholder="Filter by method, path, status or who"
          aria-label="Filter requests"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          style={{ flex: 1, maxWidth: 360 }}
        />
        <label className="soft" style={{ display: 'flex', gap: 5, alignItems: 'center', fontSize: 12, whiteSpace: 'nowrap' }}>
          <input type="checkbox" checked={own} onChange={(event) => setOwn(event.target.checked)} /> the page’s own
        </label>
        <span className="grow" />
        <button type="button" className="button quiet" onClick={clear}>
          Clear
        </button>
      </div>
      {shown.length === 0 ? (
        <div className="empty">
          <strong>No requests yet</strong>
          What you do here is a request to the API. Each one is listed, and can be copied as curl, kubectl or fetch.
        </div>
      ) : (
        <div className="scroll">
          {shown.map((entry) => (
            <div key={entry.id}>
              <button
                type="button"
                className="row request-row mono"
                aria-expanded={selected === entry.id}
                onClick={() => select(selected === entry.id ? undefined : entry.id)}
              >
                <strong>{entry.method}</strong>
                <span className="cut" title={entry.path}>
                  {entry.path}
                </span>
                <span className="who cut soft">{entry.who}</span>
                <Outcome entry={entry} />
                <span className="faint" style={{ textAlign: 'right' }}>
                  {entry.open
                    ? 'open'
                    : entry.milliseconds === undefined
                      ? ''
                      : `${entry.milliseconds < 10 ? entry.milliseconds.toFixed(1) : Math.round(entry.milliseconds)} ms`}
                </span>
              </button>
              {selected === entry.id && <Detail entry={entry} />}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

function Outcome({ entry }: { entry: LoggedRequest }) {
  if (entry.failure) return <span style={{ color: 'var(--bad)' }}>lost</span>
  const bad = (entry.status ?? 0) >= 400
  return <strong style={{ color: bad ? 'var(--bad)' : 'var(--good)' }}>{entry.status ?? '…'}</strong>
}

function Detail({ entry }: { entry: LoggedRequest }) {
  return (
    <div className="detail">
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <button type="button" className="button" onClick={() => void copyText(asKubectl(entry), 'The kubectl command')}>
          Copy as kubectl
        </button>
        <button type="button" className="button" onClick={() => void copyText(asCurl(entry), 'The curl command')}>
          curl
        </button>
        <button type="button" className="button" onClick={() => void copyText(asFetch(entry), 'The fetch call')}>
          fetch
        </button>
      </div>
      {entry.failure && <p style={{ color: 'var(--bad)' }}>The connection broke: {entry.failure}</p>}
      <Part
        title="Request"
        text={`${entry.method} ${entry.path}\n${headerText(entry.headers)}${entry.body ? `\n\n${pretty(entry.body)}` : ''}`}
      />
      {entry.status !== undefined && (
        <Part
          title="Response"
          text={`${entry.status}\n${headerText(entry.responseHeaders ?? {})}${entry.response ? `\n\n${pretty(entry.response)}` : ''}`}
        />
      )}
    </div>
  )
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <pre>{text}</pre>
    </div>
  )
}

const headerText = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const LONGEST_SHOWN = 100_000

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, LONGEST_SHOWN)
  } catch {
    return text.slice(0, LONGEST_SHOWN)
  }
}
