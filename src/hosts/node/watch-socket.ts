/**
 * Watches over WebSockets: each event is a message, a text where events are text and bytes where they are Protobuf, without the length
 * that stands before it in a stream. What the client says is not listened to (public documentation, "API conventions", "WebSockets";
 * the handshake's answers as those of the real server's library).
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ApiResponse, type BodyStream, isStream } from '../../engine/http/messages'
import { HELD_BYTES_AT_MOST, HELD_BYTES_WANTED } from './watch-writer'
import { acceptedHead, WebSocketConnection } from './web-socket'

/** Bytes before each event of a Protobuf stream that tell its length. */
const LENGTH_BYTES = 4

/** Whether the request may want a watch over a WebSocket: if it is answered by one, it does. */
export function mayBeWatch({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && /[?&]watch\b|\/watch\//.test(url)
}

/** The events of an answer that is a watch; undefined for all other answers. */
export function watchIn({ status, headers, body }: ApiResponse): { events: BodyStream; textual: boolean } | undefined {
  if (status !== 200 || body === undefined || !isStream(body)) return undefined
  const textual = headers['content-type'] === 'application/json'
  return textual || String(headers['content-type']).endsWith(';stream=watch') ? { events: body, textual } : undefined
}

/** Why no WebSocket can be opened; undefined: it can. A client that names no origin, or several protocols, is refused. */
export function handshakeProblem({ headers }: IncomingMessage): ApiResponse | undefined {
  if (headers['sec-websocket-version'] !== '13') return { status: 400, headers: { 'sec-websocket-version': '13' } }
  if (headers['sec-websocket-key'] === undefined) return { status: 400, headers: {} }
  if (headers.origin === undefined) return { status: 403, headers: {} }
  return headers['sec-websocket-protocol']?.includes(',') ? { status: 400, headers: {} } : undefined
}

/** Takes the connection over and sends events until the watch ends or the client goes. @param head bytes that came with the request */
export function openWatch(
  { events, textual }: { events: BodyStream; textual: boolean },
  message: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) {
  socket.write(acceptedHead(message.headers['sec-websocket-key'] ?? '', message.headers['sec-websocket-protocol']))
  let leave: (() => void) | undefined
  const connection = new WebSocketConnection(socket, { message() {}, closed: () => leave?.() })
  leave = events.start({
    write(chunk) {
      if (textual) connection.sendText(chunk)
      else connection.send((chunk as Uint8Array).subarray(LENGTH_BYTES))
      if (socket.writableLength > HELD_BYTES_AT_MOST) socket.destroy()
      return socket.writableLength < HELD_BYTES_WANTED
    },
    end: () => connection.close(),
    abort: () => void socket.destroy(),
  })
  connection.take(head)
}
