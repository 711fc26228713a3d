/** Between Node's HTTP server and the engine: the hot path of the headless server. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type ApiRequest,
  type ApiResponse,
  type BodyStream,
  isStream,
} from '../../engine/http/messages'
import { type CertificateOf, hasBrokenEscape, NodeRequest } from './requests'
import type { TickBatcher } from './tick-batcher'
import { type WatchFlushScheduler, type WatchOutlet, WatchWriter } from './watch-writer'

export type Handle = (request: ApiRequest) => Promise<ApiResponse>

export interface AdapterOptions {
  certificateOf?: CertificateOf | undefined
  /** Counts watches and the like and decides when they are written. */
  flushScheduler: WatchFlushScheduler
  batcher: TickBatcher
}

/** The answer to the last request of each connection: those before it leave before it. */
const lastResponses = new WeakMap<Duplex, ServerResponse>()

/** A connection, with the answer that Node's server is sending on it: some it gives by itself, to an expectation for one. */
interface RespondingSocket extends Duplex {
  _httpMessage?: ServerResponse | null
}

/**
 * Calls back when every answer on a connection has left, for what takes it away from Node's server: a client need not wait for an answer
 * before it sends what follows. Never, if the connection ends with them.
 */
export function afterLastResponse(socket: RespondingSocket, run: () => void): void {
  const last = lastResponses.get(socket)
  const pending = last && !last.destroyed ? last : socket._httpMessage
  if (pending)
    pending.once('close', () => {
      if (socket.writable) afterLastResponse(socket, run)
    })
  else run()
}

/**
 * @param handle answers every request; should it fail all the same the client gets a plain 500 and `report` the cause
 */
export function requestListener(
  handle: Handle,
  report: (message: string, cause: unknown) => void,
  { certificateOf, flushScheduler, batcher }: AdapterOptions,
): RequestListener {
  return (message: IncomingMessage, response: ServerResponse) => {
    // Behind an answer that ends the connection Node reads on, and fails where the answer to what it reads is done before another's.
    if (!message.socket.writable) return
    lastResponses.set(message.socket, response)
    if (hasBrokenEscape(message.url ?? '')) {
      respond(malformed(), response, flushScheduler)
      return
    }
    // At once: what cannot be read behind a request ends the connection, and an answer that has not begun by then is lost.
    handle(new NodeRequest(message, response, certificateOf)).then(
      (answer) => batcher.ready(() => respond(answer, response, flushScheduler)),
      (cause) => {
        if (response.destroyed) return
        report(`${message.method} ${message.url}`, cause)
        respond(failed(), response, flushScheduler)
      },
    )
  }
}

export function respond(
  { status, headers, body }: ApiResponse,
  response: ServerResponse,
  flushScheduler: WatchFlushScheduler,
): void {
  if (response.destroyed) {
    if (isStream(body)) discardBody(body)
    return
  }
  if (isStream(body)) {
    const begin = () => {
      response.writeHead(status, flatHeaders(headers))
      response.flushHeaders()
    }
    if (!streamBody(body, response, { flushScheduler, begin }))
      respond(tooManyStreams(), response, flushScheduler)
    return
  }
  const flat = flatHeaders(headers)
  const length =
    body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  if (status !== 204 && status !== 304) flat.push('content-length', String(length))
  response.writeHead(status, flat)
  if (typeof body !== 'string' || body === '') response.end(body)
  else sendText(body, length, response)
}

/** Nobody listens any more: what would be told is given up. */
export const discardBody = (body: BodyStream): void =>
  body.start({ write: () => false, end: () => {}, abort: () => {} })()

/**
 * Tells a stream to whom it was answered.
 * @param begin writes the head
 * @returns false if as many are open as may be, and nothing was written
 */
export function streamBody(
  body: BodyStream,
  outlet: WatchOutlet,
  { flushScheduler, begin }: { flushScheduler: WatchFlushScheduler; begin(): void },
): boolean {
  if (!flushScheduler.hasRoom()) {
    discardBody(body)
    return false
  }
  flushScheduler.opened(outlet)
  begin()
  outlet.on('close', body.start(new WatchWriter(outlet, flushScheduler)))
  return true
}

/** What is no HTTP is refused before the API sees it, as by the listener (recorded). */
const malformed = (): ApiResponse => ({
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
  body: '400 Bad Request',
})

/** The engine itself answers its failures; this is for those of what stands around it. */
export const failed = (): ApiResponse => ({
  status: 500,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'Internal Server Error\n',
})

export function tooManyStreams(): ApiResponse {
  const message = 'too many watches are open on this server, please try again later'
  const details = { retryAfterSeconds: 1 }
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'TooManyRequests',
    details,
    code: 429,
  }
  return {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
    body: `${JSON.stringify(status)}\n`,
  }
}

/** From this size on a copy into bytes of its own is cheaper than joining head and body into one text. */
const LARGE_TEXT = 16 * 1024

/** A text as long in bytes as in characters is ASCII, which Node writes as Latin-1 several times faster than as UTF-8. */
function sendText(text: string, byteLength: number, response: ServerResponse): void {
  const encoding = byteLength === text.length ? 'latin1' : 'utf8'
  if (byteLength >= LARGE_TEXT) {
    response.end(Buffer.from(text, encoding))
    return
  }
  // `end` with a text hands the socket the answer and an empty piece behind it, to be gathered and sent as several; so it is one.
  response.write(text, encoding)
  response.socket?.uncork()
  response.end()
}

/** Names and values in turn, the form that Node sends without looking each up again. */
function flatHeaders(headers: ApiResponse['headers']): string[] {
  const flat: string[] = []
  for (const name in headers) {
    const value = headers[name] as string | string[]
    if (typeof value === 'string') flat.push(name, value)
    else for (const one of value) flat.push(name, one)
  }
  return flat
}
