/** The one place from which the page talks to the server. Every request lands in the log; credentials never do. */
import { CLIENT_HEADER, IDEMPOTENCY_HEADER } from '../engine/names'
import { BASE } from './base'
import { useActors } from './state/actors'
import { type LoggedRequest, useRequests } from './state/requests'

export interface Ask {
  method: string
  /** Path and query as the API has them: `/api/v1/namespaces`. */
  path: string
  body?: string
  contentType?: string
  accept?: string
  origin?: LoggedRequest['origin']
  signal?: AbortSignal
}

export interface Answer {
  ok: boolean
  status: number
  headers: Record<string, string>
  text: string
  /** The body as JSON, if it is. */
  json: unknown
  warnings: string[]
}

/** An answer that is a failure, with what the server said. */
export class ApiFailure extends Error {
  constructor(
    readonly answer: Answer,
    readonly status: { message?: string; reason?: string; details?: { causes?: { field?: string; message?: string }[] } },
  ) {
    super(status.message ?? `HTTP ${answer.status}`)
  }
}

const AGENT = 'kubetab'

function headersOf(ask: Ask): Record<string, string> {
  const { token } = useActors.getState().actor
  return {
    Accept: ask.accept ?? 'application/json',
    ...(ask.body === undefined ? {} : { 'Content-Type': ask.contentType ?? 'application/json' }),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    [CLIENT_HEADER]: AGENT,
    // The browser repeats a request whose worker died before answering; the server must not do it twice.
    ...(ask.method === 'GET' ? {} : { [IDEMPOTENCY_HEADER]: randomId() }),
  }
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Headers as the log shows them: no credential, nothing that only this page sends. */
function shownHeaders(headers: Record<string, string>): Record<string, string> {
  const { [CLIENT_HEADER]: _client, [IDEMPOTENCY_HEADER]: _id, Authorization, ...rest } = headers
  return { ...rest, ...(Authorization ? { Authorization: 'Bearer (hidden)' } : {}) }
}

export function urlOf(path: string): string {
  return BASE + path.replace(/^\//, '')
}

/** Sends and reads the whole answer. Failures of the server are answers too; only a lost connection rejects. */
export async function ask(request: Ask): Promise<Answer> {
  const { id, response, started } = await open(request)
  const text = await response.text()
  const answer = answerOf(response, text)
  useRequests.getState().update(id, {
    status: response.status,
    responseHeaders: answer.headers,
    response: text,
    milliseconds: performance.now() - started,
    open: false,
  })
  return answer
}

/** As `ask`, but a failure is thrown. @throws ApiFailure */
export async function get<Body>(path: string, origin: LoggedRequest['origin'] = 'page'): Promise<Body> {
  const answer = await ask({ method: 'GET', path, origin })
  if (!answer.ok) throw new ApiFailure(answer, (answer.json ?? {}) as ApiFailure['status'])
  return answer.json as Body
}

function answerOf(response: Response, text: string): Answer {
  const headers = Object.fromEntries(response.headers)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { ok: response.ok, status: response.status, headers, text, json, warnings: warningsOf(headers.warning) }
}

/** `299 - "a", 299 - "b"` -> [`a`, `b`] */
function warningsOf(header: string | undefined): string[] {
  return [...(header ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => (text as string).replace(/\\(.)/g, '$1'))
}

async function open(request: Ask): Promise<{ id: number; response: Response; started: number }> {
  const headers = headersOf(request)
  const started = performance.now()
  const id = useRequests.getState().add({
    at: Date.now(),
    method: request.method,
    path: request.path,
    who: useActors.getState().actor.name,
    origin: request.origin ?? 'action',
    headers: shownHeaders(headers),
    open: true,
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  try {
    const response = await fetch(urlOf(request.path), {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.signal ? { signal: request.signal } : {}),
    })
    return { id, response, started }
  } catch (error) {
    useRequests.getState().update(id, {
      failure: error instanceof Error ? error.message : String(error),
      open: false,
      milliseconds: performance.now() - started,
    })
    throw error
  }
}

/**
 * A streaming request: each line of the body as parsed JSON, until the stream ends.
 * @returns how it ended: the server closed it, or the signal aborted it
 */
export async function stream(request: Ask, onLine: (line: unknown) => void): Promise<'ended' | 'aborted'> {
  const { id, response, started } = await open(request)
  const { update } = useRequests.getState()
  update(id, { status: response.status, responseHeaders: Object.fromEntries(response.headers) })
  const finished = () => update(id, { open: false, milliseconds: performance.now() - started })
  if (!response.ok || response.body === null) {
    const text = await response.text()
    update(id, { response: text })
    finished()
    const answer = answerOf(response, text)
    throw new ApiFailure(answer, (answer.json ?? {}) as ApiFailure['status'])
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  request.signal?.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true })
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return request.signal?.aborted ? 'aborted' : 'ended'
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') onLine(JSON.parse(line))
    }
  } catch (error) {
    if (request.signal?.aborted) return 'aborted'
    throw error
  } finally {
    finished()
  }
}
