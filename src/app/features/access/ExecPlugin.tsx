import { useRef, useState } from 'react'
import { timeText } from '../../components/format'
import { sendRequest } from '../../state/client'
import {
  ExecClient,
  type ExecCredential,
  INPUT_VARIABLE,
  inputOf,
  type Plugin,
  readPlugin,
  SAMPLE,
} from './identities/exec-plugin'
import { EXEC, execResponse, inputTitle, OCCASIONS, UNKNOWN_USER } from './identities/texts'

interface Event {
  id: number
  at: number
  text: string
  tone: 'good' | 'bad' | 'none'
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
        execResponse(
          response.status,
          response.ok ? (status?.userInfo?.username ?? UNKNOWN_USER) : undefined,
        ),
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
    log(EXEC.restarted)
  }

  const plugin = client.current?.text === text ? client.current.plugin : undefined
  return (
    <div className="add-form">
      <p className="soft">{EXEC.about}</p>
      <textarea
        className="field"
        aria-label={EXEC.yaml}
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
          {EXEC.send}
        </button>
        <button type="button" className="button" onClick={reset}>
          {EXEC.newProcess}
        </button>
      </div>
      {events.length > 0 && (
        <ol className="exec-events" aria-label={EXEC.events}>
          {events.map(({ id, at, text, tone }) => (
            <li key={id} className={tone}>
              <span className="time">{timeText(at)}</span> {text}
            </li>
          ))}
        </ol>
      )}
      {plugin && (
        <section className="part" aria-label={EXEC.input}>
          <h3>{inputTitle(INPUT_VARIABLE)}</h3>
          <pre>{JSON.stringify(inputOf(plugin, location.origin), null, 2)}</pre>
        </section>
      )}
      {credential && (
        <section className="part" aria-label={EXEC.output}>
          <h3>{EXEC.outputTitle}</h3>
          <pre>{JSON.stringify(credential, null, 2)}</pre>
        </section>
      )}
    </div>
  )
}
