/**
 * Requests that switch protocols: WebSockets for remote commands, port forwarding, watches and
 * logs; SPDY/3.1 for the first two. Other servers' connections are piped.
 */
import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { spokenProtocols } from '../../engine/authentication/web-socket-protocol'
import { type ApiResponse, isStream, type Passage } from '../../engine/http/messages'
import { afterLastResponse, type Handle, respond, tooManyStreams } from './adapter'
import { webSocketProtocolOf } from './messages'
import { type CertificateOf, NodeRequest } from './requests'
import { offersSpdy } from './spdy/handshake'
import { openSpdy, type SpdyUpgrade, spdyUpgradeOf } from './spdy/upgrade'
import type { WatchFlushScheduler } from './watch-writer'
import { acceptedHead, type MessageListener, WebSocketConnection } from './web-socket'
import type { WebSocketProtocol } from './web-socket-protocol'

/** Subresources that can switch protocols, whatever the client offers. */
const LEADS_THROUGH = /\/(?:exec|attach|portforward|proxy)(?:[/?]|$)/

export interface TunnelOptions {
  handle: Handle
  /** Without an upgrade listener, for requests whose offer is ignored. */
  plain: Server
  certificateOf?: CertificateOf | undefined
  flushScheduler: WatchFlushScheduler
  report(message: string, cause: unknown): void
}

/** @returns the listener of a server's `upgrade` events */
export function tunnelListener({
  handle,
  plain,
  certificateOf,
  flushScheduler,
  report,
}: TunnelOptions) {
  return (message: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node.js released the connection, but may still send earlier responses.
    socket.on('error', () => socket.destroy())
    afterLastResponse(socket, () => take(message, socket, head))
  }

  function join(
    passage: Passage,
    apiResponse: ApiResponse,
    response: ServerResponse,
    socket: Duplex,
    head: Buffer,
  ): void {
    response.detachSocket(socket as never)
    flushScheduler.opened(socket)
    socket.write(switchingHead(apiResponse), 'latin1')
    socket.unshift(head)
    passage.join(socket)
  }

  function take(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!mayLeadThrough(message)) {
      socket.unshift(Buffer.concat([Buffer.from(headOf(message), 'latin1'), head]))
      plain.emit('connection', socket)
      return
    }
    const response = new ServerResponse(message)
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.on('finish', () => {
      socket.end()
      // Reading detects a disconnected client; later bytes are discarded.
      socket.resume()
    })
    handle(new NodeRequest(message, response, certificateOf)).then(
      (apiResponse) => {
        if (apiResponse.passage && !flushScheduler.hasRoom())
          return respond(tooManyStreams(), response, flushScheduler)
        if (apiResponse.passage)
          return join(apiResponse.passage, apiResponse, response, socket, head)
        const offer = offerOf(apiResponse, message)
        if (offer === undefined) return respond(apiResponse, response, flushScheduler)
        if ('status' in offer) return respond(offer, response, flushScheduler)
        if (!flushScheduler.hasRoom())
          return respond(
            isStream(apiResponse.body) ? apiResponse : tooManyStreams(),
            response,
            flushScheduler,
          )
        response.detachSocket(socket as never)
        flushScheduler.opened(socket)
        if ('agreed' in offer) openSpdy(offer, socket, head)
        else open(offer, message, socket, head)
      },
      (cause) => {
        report(`${message.method} ${message.url}`, cause)
        socket.destroy()
      },
    )
  }
}

/** A SPDY/3.1 offer may be for any path of an aggregated API server. */
const mayLeadThrough = (message: IncomingMessage): boolean =>
  LEADS_THROUGH.test(message.url ?? '') ||
  offersSpdy(message) ||
  (message.method === 'GET' && offersWebSocket(message))

/** The switching response's head, as the other server sent it. */
function switchingHead({ status, headers }: ApiResponse): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  )
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n')
}

/** The new protocol or its rejection; undefined for plain HTTP. */
function offerOf(
  apiResponse: ApiResponse,
  message: IncomingMessage,
): WebSocketProtocol | SpdyUpgrade | ApiResponse | undefined {
  if (offersSpdy(message)) return spdyUpgradeOf(apiResponse, message)
  const webSocket = webSocketProtocolOf(apiResponse)
  return webSocket && (problemOf(message, webSocket) ?? webSocket)
}

const offersWebSocket = ({ headers: { upgrade = '' } }: IncomingMessage): boolean =>
  upgrade.toLowerCase() === 'websocket'

/** The request head without the upgrade offer. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (!/^(?:upgrade|http2-settings)$/i.test(name))
      lines.push(`${name}: ${/^connection$/i.test(name) ? 'keep-alive' : rawHeaders[i + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

const offered = ({ headers }: IncomingMessage): string[] =>
  spokenProtocols(headers['sec-websocket-protocol'])

const plainText = (status: number, body: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
})

/** The rejection of a WebSocket handshake; undefined to accept. */
function problemOf(
  message: IncomingMessage,
  webSocket: WebSocketProtocol,
): ApiResponse | undefined {
  const { upgrade, 'sec-websocket-key': key, 'sec-websocket-version': version } = message.headers
  if (!offersWebSocket(message))
    return plainText(
      501,
      `containers are reached over WebSockets and SPDY/3.1, not over ${upgrade}\n`,
    )
  if (key === undefined || version !== '13')
    return plainText(400, 'no handshake of a WebSocket (RFC 6455, section 4.2)\n')
  const rejected = webSocket.rejection?.(message.headers, offered(message))
  if (rejected !== undefined) return { status: rejected, headers: {} }
  return webSocket.selectProtocol(offered(message)) === undefined
    ? plainText(
        403,
        `of the protocols offered none is spoken here: ${offered(message).join(', ')}\n`,
      )
    : undefined
}

function open(
  webSocket: WebSocketProtocol,
  message: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const protocol = webSocket.selectProtocol(offered(message)) ?? ''
  socket.write(acceptedHead(message.headers['sec-websocket-key'] ?? '', protocol))
  const listener: { now?: MessageListener } = {}
  const connection = new WebSocketConnection(socket, {
    message: (bytes) => listener.now?.message(bytes),
    closed: () => listener.now?.closed(),
  })
  listener.now = webSocket.begin(connection, protocol)
  if (socket.destroyed) listener.now.closed()
  else connection.take(head)
}
