/**
 * Compares the cluster with another release: added and removed APIs, failing requests of the log,
 * and a replay.
 */
import { useEffect, useMemo, useState } from 'react'
import { ALL_RELEASES, compareReleases, type Release } from '../../../engine/releases'
import { sendRequest } from '../../client'
import { Empty } from '../../components/Empty'
import { Icon } from '../../components/Icon'
import { useChosenInSight } from '../../components/tabs'
import type { LoggedRequest } from '../../state/logged-request'
import { useRequests } from '../../state/requests'
import { useSettings } from '../../state/settings'
import { changeRelease } from '../../upgrade/change-release'
import { type Endpoint, endpointsOfMove, requestsLost } from '../../upgrade/moves'
import { useReleases } from '../../upgrade/state'
import { ReleaseChoice } from './ReleaseChoice'

export function TimeMachine() {
  const { settings, load } = useSettings()
  const { target, set } = useReleases()
  const setTarget = (release: Release) => set({ target: release })
  const [moving, setMoving] = useState(false)
  useEffect(() => void load(), [load])
  if (settings === undefined) return <Empty>Reading the server version…</Empty>
  const now = settings.release
  const to = target ?? now
  const move = async () => {
    setMoving(true)
    await changeRelease(to)
    setMoving(false)
  }
  return (
    <div className="machine scroll">
      <div className="machine-choice">
        <p>
          The cluster runs <strong>{now}</strong>.
        </p>
        <ReleaseRail now={now} target={to} onChoose={setTarget} />
        <div className="machine-buttons">
          <ReleaseChoice label="Move to" value={to} onChoose={setTarget} />
          <button
            type="button"
            className="button primary"
            disabled={to === now || moving}
            onClick={() => void move()}
          >
            {moving ? 'Starting …' : to === now ? 'Current release' : `Switch to ${to}`}
          </button>
          <span className="soft small">
            The server restarts with the same data. Stored objects are kept even if no longer
            served.
          </span>
        </div>
      </div>
      <MoveView from={now} to={to} />
      <Replay />
    </div>
  )
}

/** Every release as a stop of the rail. */
function ReleaseRail({
  now,
  target,
  onChoose,
}: {
  now: Release
  target: Release
  onChoose(release: Release): void
}) {
  const rail = useChosenInSight(target)
  return (
    <div className="release-rail" ref={rail} role="radiogroup" aria-label="Version to switch to">
      {ALL_RELEASES.map((release) => (
        // biome-ignore lint/a11y/useSemanticElements: stops of a rail, not a list of labelled circles
        <button
          key={release}
          type="button"
          role="radio"
          aria-checked={release === target}
          className={release === now ? 'now' : undefined}
          title={release === now ? `${release}: the current release` : release}
          onClick={() => onChoose(release)}
        >
          <span className="mono">{release}</span>
        </button>
      ))}
    </div>
  )
}

function MoveView({ from, to }: { from: Release; to: Release }) {
  const log = useRequests((state) => state.log)
  const move = useMemo(() => endpointsOfMove(from, to), [from, to])
  const lost = useMemo(
    () =>
      requestsLost(
        log.filter(({ origin }) => origin !== 'page'),
        from,
        to,
      ),
    [log, from, to],
  )
  if (from === to) return null
  return (
    <>
      <div className="machine-lists">
        <EndpointList
          title={compareReleases(from, to) < 0 ? `New in ${to}` : `Comes back in ${to}`}
          sign="+"
          endpoints={move.appear}
        />
        <EndpointList title={`Not served by ${to}`} sign="−" endpoints={move.vanish} />
      </div>
      <section className="machine-part">
        <h3>Requests of the log that {to} would not know</h3>
        {lost.length === 0 ? (
          <p className="soft">None: all logged requests are served there too.</p>
        ) : (
          <ul className="machine-requests">
            {lost.map(({ request, endpoint, tooEarly }) => (
              <li key={request.id}>
                <span className="mono">
                  {request.method} {request.path}
                </span>
                <span className="soft small">
                  {endpoint.apiVersion} {endpoint.kind} is {tooEarly ? 'not there yet' : 'gone'}:
                  404
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

function EndpointList({
  title,
  sign,
  endpoints,
}: {
  title: string
  sign: '+' | '−'
  endpoints: readonly Endpoint[]
}) {
  return (
    <section className="machine-part">
      <h3>
        {title} <span className="count">{endpoints.length}</span>
      </h3>
      {endpoints.length === 0 ? (
        <p className="soft">Nothing.</p>
      ) : (
        <ul className="machine-endpoints mono small">
          {endpoints.map(({ apiVersion, resource }) => (
            <li key={`${apiVersion}/${resource}`}>
              <span aria-hidden="true" className={sign === '+' ? 'good' : 'bad'}>
                {sign}
              </span>{' '}
              {apiVersion} <strong>{resource}</strong>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface Replayed {
  request: LoggedRequest
  status: number
  message: string
}

const MOST_REPLAYED = 20

/** Writes are sent as dry runs: a comparison must not change the cluster. */
function Replay() {
  const log = useRequests((state) => state.log)
  const [responses, setResponses] = useState<Replayed[]>([])
  const [running, setRunning] = useState(false)
  const candidates = useMemo(() => distinct(log), [log])
  const replay = async () => {
    setRunning(true)
    const found: Replayed[] = []
    for (const request of candidates) {
      const response = await againOf(request)
      found.push({ request, ...response })
    }
    setResponses(found)
    setRunning(false)
  }
  return (
    <section className="machine-part">
      <h3>
        Replay recent requests
        <button
          type="button"
          className="button small"
          disabled={running || candidates.length === 0}
          onClick={() => void replay()}
        >
          <Icon name="play" size={14} /> {running ? 'Replaying …' : `Replay ${candidates.length}`}
        </button>
      </h3>
      <p className="soft small">Writes are dry runs. Compare before and after switching.</p>
      {responses.length > 0 && (
        <ul className="machine-requests">
          {responses.map(({ request, status, message }) => (
            <li key={request.id}>
              <span className="mono">
                {request.method} {request.path}
              </span>
              <span className="small">
                <span className={`chip ${(request.status ?? 0) < 400 ? 'good' : 'bad'}`}>
                  {request.status}
                </span>{' '}
                then, <span className={`chip ${status < 400 ? 'good' : 'bad'}`}>{status}</span> now{' '}
                {message && <span className="soft">{message}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/**
 * Finished requests of users and scripts, each once, the newest; watches have no response to
 * compare.
 */
function distinct(log: readonly LoggedRequest[]): LoggedRequest[] {
  const found = new Map<string, LoggedRequest>()
  for (const request of [...log].reverse()) {
    const { origin, open, method, path, status } = request
    if (origin === 'page' || open || status === undefined || /[?&]watch=/.test(path)) continue
    const key = `${method} ${path}`
    if (!found.has(key) && found.size < MOST_REPLAYED) found.set(key, request)
  }
  return [...found.values()]
}

async function againOf({
  method,
  path,
  body,
  headers,
}: LoggedRequest): Promise<{ status: number; message: string }> {
  const dry =
    method === 'GET' || /[?&]dryRun=/.test(path)
      ? path
      : `${path}${path.includes('?') ? '&' : '?'}dryRun=All`
  const contentType = headers['Content-Type']
  const response = await sendRequest({
    method,
    path: dry,
    ...(headers.Accept === undefined ? {} : { accept: headers.Accept }),
    ...(body === undefined ? {} : { body }),
    ...(contentType === undefined ? {} : { contentType }),
    origin: 'page',
  })
  const message = (response.json as { message?: string } | undefined)?.message
  return { status: response.status, message: response.ok ? '' : (message ?? '') }
}
