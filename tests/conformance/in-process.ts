/**
 * Sends recorded requests straight into an engine under a simulated clock: what took the recorder seconds of waiting passes at
 * once, because the clock jumps to the next thing due whenever a request has nothing else left to do.
 */
import { gunzipSync } from 'node:zlib'
import type { SimulatedClock } from '../../src/engine/core/environment'
import { type ApiRequest, type ApiResponse, isStream } from '../../src/engine/http/messages'
import type { ReplayRequest, ReplayResponse, Send } from './replay'

/** What a replay needs of the engine. */
export interface Handler {
  handle(request: ApiRequest): Promise<ApiResponse>
}

/** What the recorder's HTTP client (the Fetch API) sends by itself. */
const CLIENT_HEADERS: Record<string, string> = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
}

/** Simulated time per request, so that times in responses advance as in the recording. */
const MILLISECONDS_PER_REQUEST = 5
/** A request that neither ends nor has ended by then will not end: an hour of simulated time. */
const TIMEOUT_MILLISECONDS = 3_600_000
/** Real time, too, that a request gets before it is given up: where the machine is busy those threads come late. */
const REAL_TIMEOUT_MILLISECONDS = 2000
/** Real time that work outside the engine's own (cryptography in the platform's threads) may need before the clock jumps. */
const GRACE_MILLISECONDS = 3

/** Resolves when everything has run that can run without the clock. */
export type Settle = () => Promise<void>

/** @returns a function that sends one request to the handler and returns its whole response */
export function inProcessSender(
  server: Handler,
  clock: SimulatedClock,
  settle: Settle = otherWork,
): Send {
  return async (request) => {
    clock.advance(MILLISECONDS_PER_REQUEST)
    const exchange = responseOf(server, apiRequest(request))
    await runUntilSettled(exchange, clock, settle)
    return exchange
  }
}

/** Lets simulated time pass between requests; what falls due runs before it resolves. */
export function inProcessSleep(
  clock: SimulatedClock,
  settle: Settle = otherWork,
): (milliseconds: number) => Promise<void> {
  return async (milliseconds) => {
    clock.advance(milliseconds)
    await settle()
  }
}

function apiRequest({ method, path, headers, body }: ReplayRequest): ApiRequest {
  const url = new URL(`http://127.0.0.1${path}`)
  const sent = new Headers(CLIENT_HEADERS)
  for (const [name, value] of Object.entries(headers)) sent.set(name, value)
  const bytes = new TextEncoder().encode(body ?? '')
  if (body !== undefined && body !== null && !sent.has('content-type'))
    sent.set('content-type', 'text/plain;charset=UTF-8')
  if (bytes.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH')
    sent.set('content-length', String(bytes.length))
  return {
    method,
    target: url.pathname + url.search,
    header: (name) => sent.get(name) ?? undefined,
    headerNames: () => [...sent.keys()],
    body: () => Promise.resolve(bytes),
  }
}

async function responseOf(server: Handler, request: ApiRequest): Promise<ReplayResponse> {
  const { status, headers, body } = await server.handle(request)
  const bytes = await bytesOf(body)
  const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : value,
      ]),
    ),
    text: request.method === 'HEAD' ? '' : new TextDecoder().decode(plain),
  }
}

async function bytesOf(body: ApiResponse['body']): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array()
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (!isStream(body)) return body
  const chunks: Uint8Array[] = []
  await new Promise<void>((resolve) => {
    body.start({
      abort: resolve,
      write(chunk) {
        chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
        return true
      },
      end: resolve,
    })
  })
  return Buffer.concat(chunks)
}

/** Gives the exchange all the work it can do at once, then moves the clock to the next thing due, until the exchange ends. */
async function runUntilSettled(
  exchange: Promise<unknown>,
  clock: SimulatedClock,
  settle: Settle,
): Promise<void> {
  let settled = false
  const note = () => {
    settled = true
  }
  exchange.then(note, note)
  await settle()
  if (settled) return
  const deadline = clock.now() + TIMEOUT_MILLISECONDS
  const began = performance.now()
  while (!settled) {
    await new Promise((resolve) => setTimeout(resolve, GRACE_MILLISECONDS))
    if (settled) return
    await settle()
    if (settled) return
    const due = clock.nextDue()
    if (due === undefined || due > deadline) {
      if (performance.now() - began < REAL_TIMEOUT_MILLISECONDS) continue
      throw new Error('the request never ended: nothing that is due could end it')
    }
    clock.advance(due - clock.now())
    await settle()
  }
}

/** Resolves when everything that can run now has run. */
export function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
