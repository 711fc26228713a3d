/** Sends every request of the page, and logs it without credentials. */
import { CLIENT_HEADER, IDEMPOTENCY_HEADER, PAGE_AGENT } from '../../engine/core/names'
import { warningsOf } from '../../hosts/shared/warning-header'
import { type Actor, useActors } from './actors'
import { credentialHeaders } from './credentials'
import type { Origin } from './logged-request'
import { pastProblem } from './moment'
import { useRequests } from './requests'
import { apiBase, WORKSPACE } from './workspace'

export interface ApiRequest {
  method: string
  /** `/api/v1/namespaces`, with query. */
  path: string
  body?: string
  contentType?: string
  accept?: string
  headers?: Record<string, string>
  origin?: Origin
  /** Defaults to the selected user. */
  actor?: Actor
  signal?: AbortSignal
  /** Defaults to the shown one. */
  workspace?: string
}

export interface ApiResponse {
  ok: boolean
  status: number
  headers: Record<string, string>
  text: string
  /** undefined if the body is not JSON. */
  json: unknown
  warnings: string[]
}

export class ApiFailure extends Error {
  constructor(readonly response: ApiResponse) {
    super(
      (response.json as { message?: string } | undefined)?.message ??
        (response.text || `HTTP ${response.status}`),
    )
  }
}

/**
 * Rejects only for a lost connection. Writes get a local 409 while the page shows an earlier
 * revision.
 */
export async function sendRequest(request: ApiRequest): Promise<ApiResponse> {
  const problem = request.method === 'GET' ? undefined : pastProblem()
  if (problem !== undefined)
    return {
      ok: false,
      status: 409,
      headers: {},
      text: problem,
      json: { message: problem },
      warnings: [],
    }
  const exchange = await open(request)
  const text = await exchange.read((response) => response.text())
  const result = apiResponseOf(exchange.response, text)
  exchange.log({ response: text, open: false })
  return result
}

export interface BinaryResponse {
  headers: Record<string, string>
  bytes: Uint8Array
}

/** @throws ApiFailure */
export async function requestBytes(request: ApiRequest): Promise<BinaryResponse> {
  const exchange = await open(request)
  const { response } = exchange
  const bytes = new Uint8Array(await exchange.read(() => response.arrayBuffer()))
  const binary = /protobuf/.test(response.headers.get('content-type') ?? '')
  const text = binary ? `${bytes.length} bytes of Protobuf` : new TextDecoder().decode(bytes)
  exchange.log({ response: text, open: false })
  if (!response.ok) throw new ApiFailure(apiResponseOf(response, text))
  return { headers: Object.fromEntries(response.headers), bytes }
}

/** @throws ApiFailure */
export async function get<Body>(path: string, origin: Origin = 'page'): Promise<Body> {
  const response = await sendRequest({ method: 'GET', path, origin })
  if (!response.ok) throw new ApiFailure(response)
  return response.json as Body
}

/**
 * Passes each line to `onLine` as parsed JSON, with its length.
 * @param onOpen called on a 2xx status
 * @returns `ended` by the server, or `aborted` by the signal
 * @throws ApiFailure on an error status
 */
export async function stream(
  request: ApiRequest,
  onLine: (line: unknown, size: number) => void,
  onOpen?: () => void,
): Promise<'ended' | 'aborted'> {
  const exchange = await open(request)
  const { response } = exchange
  if (!response.ok || response.body === null) {
    const text = await exchange.read(() => response.text())
    exchange.log({ response: text, open: false })
    throw new ApiFailure(apiResponseOf(response, text))
  }
  onOpen?.()
  let lines = 0
  let loggedAt = 0
  try {
    for await (const line of linesOf(response.body, request.signal)) {
      onLine(JSON.parse(line), line.length)
      lines++
      if (performance.now() - loggedAt < LOG_INTERVAL_MS) continue
      loggedAt = performance.now()
      exchange.log({ lines })
    }
    return request.signal?.aborted ? 'aborted' : 'ended'
  } catch (error) {
    if (request.signal?.aborted) return 'aborted'
    throw error
  } finally {
    exchange.log({ lines, open: false })
  }
}

/**
 * For callers that stream the body.
 * @throws Error for a write while the page shows an earlier revision
 */
export async function fetchRaw(request: ApiRequest): Promise<Response> {
  const problem = request.method === 'GET' ? undefined : pastProblem()
  if (problem !== undefined) throw new Error(problem)
  const exchange = await open(request)
  const { body, status, statusText, headers } = exchange.response
  if (body === null) {
    exchange.log({ response: '', open: false })
    return exchange.response
  }
  return new Response(logged(body, exchange, request.signal), { status, statusText, headers })
}

const MAX_LOGGED_CHARS = 1_000_000

/** Passes the body on unchanged and logs it. An abort by the caller is not a failure. */
function logged(body: Bytes, exchange: Exchange, signal: AbortSignal | undefined): Bytes {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let loggedAt = 0
  const end = (failure: { failure?: string } = {}) =>
    exchange.log({ response: text, open: false, ...failure })
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          end()
          controller.close()
          return
        }
        if (text.length < MAX_LOGGED_CHARS) text += decoder.decode(value, { stream: true })
        controller.enqueue(value)
      } catch (error) {
        end(
          signal?.aborted
            ? {}
            : { failure: error instanceof Error ? error.message : String(error) },
        )
        throw error
      }
      if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
      loggedAt = performance.now()
      exchange.log({ response: text })
    },
    cancel(reason) {
      end()
      return reader.cancel(reason)
    },
  })
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** Throttles updates of a stream's log entry. */
const LOG_INTERVAL_MS = 250

async function* linesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield line
    }
  } finally {
    // A signal may outlive many streams: it must not retain each.
    signal?.removeEventListener('abort', cancel)
  }
}

interface Exchange {
  response: Response
  log(change: Parameters<ReturnType<typeof useRequests.getState>['update']>[1]): void
  read<Value>(what: (response: Response) => Promise<Value>): Promise<Value>
}

async function open(request: ApiRequest): Promise<Exchange> {
  const actor = request.actor ?? useActors.getState().actor
  const headers = headersOf(request, actor)
  const body = request.body === undefined ? {} : { body: request.body }
  const started = performance.now()
  const { add, update } = useRequests.getState()
  const id = add({
    at: Date.now(),
    method: request.method,
    path: request.path,
    who: actor.name,
    origin: request.origin ?? 'action',
    headers: shownHeaders(headers),
    open: true,
    ...body,
  })
  const log: Exchange['log'] = (change) =>
    update(id, { ...change, milliseconds: performance.now() - started })
  const watched = async <Value>(step: Promise<Value>): Promise<Value> => {
    try {
      return await step
    } catch (error) {
      log({ failure: error instanceof Error ? error.message : String(error), open: false })
      throw error
    }
  }
  const signal = request.signal ? { signal: request.signal } : {}
  const response = await watched(
    fetch(urlOf(request.path, request.workspace), {
      method: request.method,
      headers,
      ...body,
      ...signal,
    }),
  )
  log({ status: response.status, responseHeaders: Object.fromEntries(response.headers) })
  return { response, log, read: (what) => watched(what(response)) }
}

const AGENT = 'kubetab'

function headersOf(request: ApiRequest, actor: Actor): Record<string, string> {
  return {
    Accept: request.accept ?? 'application/json',
    ...(request.body === undefined
      ? {}
      : { 'Content-Type': request.contentType ?? 'application/json' }),
    ...credentialHeaders(actor),
    ...request.headers,
    [CLIENT_HEADER]: request.origin === 'page' ? PAGE_AGENT : AGENT,
    // The browser repeats a request whose worker died; the key prevents a second execution.
    ...(request.method === 'GET' ? {} : { [IDEMPOTENCY_HEADER]: randomId() }),
  }
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** `requests.ts` removes credentials. */
function shownHeaders(headers: Record<string, string>): Record<string, string> {
  const { [CLIENT_HEADER]: _client, [IDEMPOTENCY_HEADER]: _id, ...rest } = headers
  return rest
}

export function urlOf(path: string, workspace = WORKSPACE): string {
  return apiBase(workspace) + path.replace(/^\//, '')
}

function apiResponseOf(response: Response, text: string): ApiResponse {
  const headers = Object.fromEntries(response.headers)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return {
    ok: response.ok,
    status: response.status,
    headers,
    text,
    json,
    warnings: warningsOf(headers.warning),
  }
}
