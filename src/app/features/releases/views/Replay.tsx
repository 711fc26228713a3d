/** Compares responses before and after a change. */
import { useMemo, useState } from 'react'
import { Icon } from '../../../components/Icon'
import { sendRequest } from '../../../state/client'
import type { LoggedRequest } from '../../../state/logged-request'
import { useRequests } from '../../../state/requests'
import { REPLAY } from '../texts'

interface Replayed {
  request: LoggedRequest
  status: number
  message: string
}

const MOST_REPLAYED = 20

/** Writes are dry runs, so that the cluster stays unchanged. */
export function Replay() {
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
        {REPLAY.title}
        <button
          type="button"
          className="button small"
          disabled={running || candidates.length === 0}
          onClick={() => void replay()}
        >
          <Icon name="play" size={14} />{' '}
          {running ? REPLAY.replaying : REPLAY.replay(candidates.length)}
        </button>
      </h3>
      <p className="soft small">{REPLAY.about}</p>
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
                {REPLAY.before}{' '}
                <span className={`chip ${status < 400 ? 'good' : 'bad'}`}>{status}</span>{' '}
                {REPLAY.now} {message && <span className="soft">{message}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The newest of each; watches have no response to compare. */
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
