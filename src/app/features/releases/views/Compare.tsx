/** The same request in two releases, side by side. */
import { useMemo, useState } from 'react'
import { ALL_RELEASES, compareReleases, type Release } from '../../../../engine/releases'
import { Empty } from '../../../components/Empty'
import { Icon } from '../../../components/Icon'
import { type Actor, useActors } from '../../../state/actors'
import type { LoggedRequest } from '../../../state/logged-request'
import { useRequests } from '../../../state/requests'
import { useSettings } from '../../../state/settings'
import type { Comparison } from '../compared'
import { type Draft, useComparison } from '../comparison-state'
import { ComparedResponses } from './ComparedResponses'
import { ReleaseChoice } from './ReleaseChoice'

const NEWEST = ALL_RELEASES.at(-1) as Release
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const BODY_TYPES = [
  'application/json',
  'application/yaml',
  'application/apply-patch+yaml',
  'application/strategic-merge-patch+json',
  'application/merge-patch+json',
  'application/json-patch+json',
]

export function Compare() {
  const now = useSettings((state) => state.settings?.release)
  const { draft, left = now, right = otherThan(now), set } = useComparison()
  const [result, setResult] = useState<{ comparison: Comparison; releases: [Release, Release] }>()
  const [failure, setFailure] = useState<string>()
  const [running, setRunning] = useState(false)
  if (left === undefined) return <Empty>Reading the server version…</Empty>
  const send = async () => {
    setRunning(true)
    setFailure(undefined)
    try {
      // The engines are loaded on demand.
      const { compareReleasesFor } = await import('../comparison')
      const comparison = await compareReleasesFor(requestOf(draft), [left, right])
      setResult({ comparison, releases: [left, right] })
    } catch (error) {
      setResult(undefined)
      setFailure(error instanceof Error ? error.message : String(error))
    }
    setRunning(false)
  }
  return (
    <div className="machine scroll">
      <form
        className="compare-form"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div className="machine-buttons">
          <ReleaseChoice label="Left" value={left} onChoose={(value) => set({ left: value })} />
          <ReleaseChoice label="Right" value={right} onChoose={(value) => set({ right: value })} />
          <LoggedChoice onChoose={(chosen) => set({ draft: chosen })} />
        </div>
        <DraftFields draft={draft} onChange={(change) => set({ draft: { ...draft, ...change } })} />
        <div className="machine-buttons">
          <button
            type="submit"
            className="button primary"
            disabled={running || !draft.path.startsWith('/') || isStreaming(draft.path)}
          >
            <Icon name="play" size={14} /> {running ? 'Sending …' : 'Send to both'}
          </button>
          <span className="soft small">
            {isStreaming(draft.path)
              ? 'A watch has no end to compare: leave out watch and follow.'
              : 'Two temporary servers start with copies of this cluster. The cluster itself does not change.'}
          </span>
        </div>
      </form>
      {failure !== undefined && (
        <p className="note bad" role="alert">
          The request could not be compared: {failure}
        </p>
      )}
      {result && <ComparedResponses {...result} />}
    </div>
  )
}

const isStreaming = (path: string): boolean => /[?&](?:watch|follow)=(?:1|true)(?:&|$)/.test(path)

const otherThan = (release: Release | undefined): Release =>
  release !== undefined && compareReleases(release, NEWEST) === 0 ? '1.31' : NEWEST

function requestOf({ method, path, body, contentType, who }: Draft) {
  const { actors, actor } = useActors.getState()
  const { name, groups }: Actor = actors.find((one) => one.name === who) ?? actor
  return {
    method,
    path,
    user: { name, groups },
    ...(method === 'GET' || body === '' ? {} : { body, contentType }),
  }
}

function DraftFields({
  draft: { method, path, body, contentType },
  onChange,
}: {
  draft: Draft
  onChange(change: Partial<Draft>): void
}) {
  return (
    <>
      <div className="compare-line">
        <select
          className="field"
          aria-label="Method"
          value={method}
          onChange={(event) => onChange({ method: event.target.value })}
        >
          {METHODS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <input
          className="field mono"
          aria-label="Path and query"
          value={path}
          spellCheck={false}
          onChange={(event) => onChange({ path: event.target.value })}
        />
      </div>
      {method !== 'GET' && (
        <>
          <select
            className="field compare-type"
            aria-label="Content type"
            value={contentType}
            onChange={(event) => onChange({ contentType: event.target.value })}
          >
            {[...new Set([...BODY_TYPES, contentType])].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <textarea
            className="field mono"
            aria-label="Body"
            rows={8}
            value={body}
            spellCheck={false}
            onChange={(event) => onChange({ body: event.target.value })}
          />
        </>
      )}
    </>
  )
}

const MOST_LOGGED = 20

/** Recent requests of people and scripts, the newest first, each once. */
function logged(log: readonly LoggedRequest[]): LoggedRequest[] {
  const found = new Map<string, LoggedRequest>()
  for (const request of [...log].reverse()) {
    const { origin, status, method, path } = request
    if (origin === 'page' || status === undefined || isStreaming(path)) continue
    const key = `${method} ${path}`
    if (!found.has(key) && found.size < MOST_LOGGED) found.set(key, request)
  }
  return [...found.values()]
}

function LoggedChoice({ onChoose }: { onChoose(draft: Draft): void }) {
  const log = useRequests((state) => state.log)
  const requests = useMemo(() => logged(log), [log])
  const choose = (id: number) => {
    const request = requests.find((one) => one.id === id)
    if (request === undefined) return
    const { method, path, who, body = '', headers } = request
    onChoose({
      method,
      path,
      who,
      body,
      contentType: headers['Content-Type'] ?? 'application/json',
    })
  }
  return (
    <label className="release-choice compare-logged">
      Request
      <select
        className="field"
        value=""
        disabled={requests.length === 0}
        onChange={(event) => choose(Number(event.target.value))}
      >
        <option value="">
          {requests.length === 0 ? 'No requests yet: type one' : 'From the request log …'}
        </option>
        {requests.map(({ id, method, path }) => (
          <option key={id} value={id}>
            {method} {path}
          </option>
        ))}
      </select>
    </label>
  )
}
