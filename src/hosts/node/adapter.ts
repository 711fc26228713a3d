/** Connects Node.js's HTTP server to the engine; a hot path. */
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
  flushScheduler: WatchFlushScheduler
  batcher: TickBatcher
}

/** The response to each connection's last request. */
const lastResponses = new WeakMap<Duplex, ServerResponse>()

/** Node.js sends some responses itself, such as 417. */
interface RespondingSocket extends Duplex {
  _httpMessage?: ServerResponse | null
}

/**
 * Runs once all responses of a connection are sent, for code that takes it over. Never runs if the
 * connection ends first.
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

/** @param handle if it fails, the client gets a plain 500 and `report` the cause */
export function requestListener(
  handle: Handle,
  report: (message: string, cause: unknown) => void,
  { certificateOf, flushScheduler, batcher }: AdapterOptions,
): RequestListener {
  return (message: IncomingMessage, response: ServerResponse) => {
    // After a response that closes the connection, Node.js keeps reading, and fails if a later
    // response ends first.
    if (!message.socket.writable) return
    lastResponses.set(message.socket, response)
    if (hasBrokenEscape(message.url ?? '')) {
      respond(malformed(), response, flushScheduler)
      return
    }
    // Immediately: invalid bytes after a request end the connection, and a response that has not
    // begun is lost.
    handle(new NodeRequest(message, response, certificateOf)).then(
      (apiResponse) => batcher.ready(() => respond(apiResponse, response, flushScheduler)),
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

export const discardBody = (body: BodyStream): void =>
  body.start({ write: () => false, end: () => {}, abort: () => {} })()

/**
 * @param begin writes the head
 * @returns false if the limit of open streams is reached; then nothing is written
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

/** As kube-apiserver's listener rejects malformed HTTP. */
const malformed = (): ApiResponse => ({
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
  body: '400 Bad Request',
})

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

/** Above this, a buffer copy is cheaper than joining head and body as a string. */
const LARGE_TEXT = 16 * 1024

/**
 * A text with as many bytes as characters is ASCII, which Node.js writes several times faster as
 * Latin-1 than as UTF-8.
 */
function sendText(text: string, byteLength: number, response: ServerResponse): void {
  const encoding = byteLength === text.length ? 'latin1' : 'utf8'
  if (byteLength >= LARGE_TEXT) {
    response.end(Buffer.from(text, encoding))
    return
  }
  // `end(text)` passes a second, empty chunk to the socket; `write` and `uncork` pass one.
  response.write(text, encoding)
  response.socket?.uncork()
  response.end()
}

/** Alternating names and values, which Node.js sends without lookups. */
function flatHeaders(headers: ApiResponse['headers']): string[] {
  const flat: string[] = []
  for (const name in headers) {
    const value = headers[name] as string | string[]
    if (typeof value === 'string') flat.push(name, value)
    else for (const one of value) flat.push(name, one)
  }
  return flat
}
