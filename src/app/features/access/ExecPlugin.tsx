/** A simulated exec plugin: its input, its output, and how long the client caches it. */
import { useRef, useState } from 'react'
import { timeText } from '../../components/format'
import { sendRequest } from '../../state/client'
import {
  ExecClient,
  type ExecCredential,
  INPUT_VARIABLE,
  inputOf,
  type Occasion,
  type Plugin,
  readPlugin,
  SAMPLE,
} from './identities/exec-plugin'

interface Event {
  id: number
  at: number
  text: string
  tone: 'good' | 'bad' | 'none'
}

const OCCASIONS: Record<Occasion, string> = {
  first: 'No cached credential: run the plugin',
  cached: 'The cached credential is used; the plugin does not run',
  expired: 'The expirationTimestamp has passed: the plugin is run again',
  unauthorized: 'Status 401: cache discarded and the plugin is run again, for the next request',
}

const PATH = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
let lastId = 0

export function ExecPlugin() {
  const [text, setText] = useState(SAMPLE)
  const [events, setEvents] = useState<Event[]>([])
  const [credential, setCredential] = useState<ExecCredential>()
  const [failure, setFailure] = useState<string>()
  const client = useRef<{ text: string; client: ExecClient; plugin: Plugin }>(undefined)
  const log = (line: string, tone: Event['tone'] = 'none') =>
    setEvents((before) =>
      [{ id: ++lastId, at: Date.now(), text: line, tone }, ...before].slice(0, 40),
    )

  function process(): ExecClient {
    if (client.current?.text !== text) {
      const plugin = readPlugin(text)
      client.current = { text, plugin, client: new ExecClient(plugin, Date.now) }
    }
    return client.current.client
  }

  async function send(): Promise<void> {
    try {
      const running = process()
      setFailure(undefined)
      const { occasion, credential: given } = running.credential()
      setCredential(given)
      log(OCCASIONS[occasion])
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
      const actor = { name: 'exec plugin', groups: [], token: given.status.token }
      const response = await sendRequest({
        method: 'POST',
        path: PATH,
        body: JSON.stringify(review),
        actor,
      })
      const { status } = (response.json ?? {}) as { status?: { userInfo?: { username?: string } } }
      log(
        `HTTP ${response.status}${response.ok ? `: authenticated as ${status?.userInfo?.username ?? 'unknown'}` : ''}`,
        response.ok ? 'good' : 'bad',
      )
      const next = running.onResponse(response.status, given)
      if (next === undefined) return
      setCredential(next)
      log(OCCASIONS.unauthorized)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }

  function reset(): void {
    client.current = undefined
    setCredential(undefined)
    log('A new process: the cache is empty')
  }

  const plugin = client.current?.text === text ? client.current.plugin : undefined
  return (
    <div className="add-form">
      <p className="soft">
        A kubeconfig can name an exec credential plugin. The client runs it, caches its credential,
        and runs it again when the credential expires or the server returns 401. Here the plugin is
        described by its output.
      </p>
      <textarea
        className="field"
        aria-label="Exec plugin as YAML"
        rows={14}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => setText(event.target.value)}
      />
      {failure && (
        <p className="note bad" role="alert">
          {failure}
        </p>
      )}
      <div className="button-row">
        <button type="button" className="button primary" onClick={() => void send()}>
          Send a request
        </button>
        <button type="button" className="button" onClick={reset}>
          New process
        </button>
      </div>
      {events.length > 0 && (
        <ol className="exec-events" aria-label="What the client does">
          {events.map(({ id, at, text, tone }) => (
            <li key={id} className={tone}>
              <span className="time">{timeText(at)}</span> {text}
            </li>
          ))}
        </ol>
      )}
      {plugin && (
        <section className="part" aria-label="Input of the plugin">
          <h3>{INPUT_VARIABLE}: the input of the plugin</h3>
          <pre>{JSON.stringify(inputOf(plugin, location.origin), null, 2)}</pre>
        </section>
      )}
      {credential && (
        <section className="part" aria-label="Output of the plugin">
          <h3>Its output, cached by the client</h3>
          <pre>{JSON.stringify(credential, null, 2)}</pre>
        </section>
      )}
    </div>
  )
}
