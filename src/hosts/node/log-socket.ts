/**
 * Logs over WebSockets: their bytes in messages as they come, or the same in Base64 (public documentation of the package wsstream:
 * `binary.k8s.io`, `base64.binary.k8s.io`). What the client says is not listened to.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ApiResponse, isStream } from '../../engine/http/messages'
import { HELD_BYTES_AT_MOST, HELD_BYTES_WANTED } from './watch-writer'
import { acceptedHead, WebSocketConnection } from './web-socket'

const PROTOCOLS = ['binary.k8s.io', 'base64.binary.k8s.io']

/** Whether the request may want a log over a WebSocket: if it is answered by one, it does. */
export function mayBeLog({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && /\/pods\/[^/?]+\/log(?:\?|$)/.test(url)
}

export const isLog = ({ status, headers }: ApiResponse): boolean => status === 200 && headers['content-type'] === 'text/plain'

/** The protocol that is spoken if a client offers these; the empty one if it offers none, undefined if none of them is spoken. */
export const logProtocolOf = (offered: readonly string[]): string | undefined =>
  offered.length === 0 ? '' : offered.find((name) => PROTOCOLS.includes(name))

export const inBase64 = (protocol: string): boolean => /(?:^|\.)base64\./.test(protocol)

/** Takes the connection over and sends the log until it ends or the client goes. @param head bytes that came with the request */
export function openLog(body: ApiResponse['body'], protocol: string, message: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.write(acceptedHead(message.headers['sec-websocket-key'] ?? '', protocol === '' ? undefined : protocol))
  let leave: (() => void) | undefined
  const connection = new WebSocketConnection(socket, { message() {}, closed: () => leave?.() })
  function write(chunk: string | Uint8Array): boolean {
    if (inBase64(protocol)) connection.sendText(Buffer.from(chunk).toString('base64'))
    else connection.send(Buffer.from(chunk))
    if (socket.writableLength > HELD_BYTES_AT_MOST) socket.destroy()
    return socket.writableLength < HELD_BYTES_WANTED
  }
  // An empty message says that the log was found, however long its first line takes.
  write('')
  if (isStream(body)) leave = body.start({ write, end: () => connection.close(), abort: () => void socket.destroy() })
  else {
    if (body !== undefined && body.length > 0) write(body)
    connection.close()
  }
  if (socket.destroyed) leave?.()
  else connection.take(head)
}
