/**
 * What answers become over WebSockets: channels of remote commands, events of watches one a message, logs as bytes (public
 * documentation of the package wsstream: `channel.k8s.io` and its successors, `binary.k8s.io`, and the same in Base64).
 */
import {
  type ApiResponse,
  isStream,
  type StreamSink,
  type Tunnel,
} from '../../engine/http/messages'
import { forwardedPorts } from './forwarded-ports'
import { BACKPRESSURE_BYTES, MAX_BUFFERED_BYTES } from './watch-writer'
import type { MessageListener, WebSocketConnection } from './web-socket'
import { FIRST_DIGIT, inBase64, type WebSocketProtocol } from './web-socket-protocol'

/** @returns undefined for an answer that is told over HTTP alone */
export function webSocketProtocolOf(answer: ApiResponse): WebSocketProtocol | undefined {
  if (answer.tunnel) return channels(answer.tunnel)
  if (answer.forwarding) return forwardedPorts(answer.forwarding)
  if (answer.messages === 'events') return events(answer)
  return answer.messages === 'bytes' ? bytes(answer) : undefined
}

function channels(tunnel: Tunnel): WebSocketProtocol {
  return {
    selectProtocol: (offered) => tunnel.protocols.find((name) => offered.includes(name)),
    begin(connection, protocol) {
      const coded = inBase64(protocol)
      const sent = (channel: number, content: Buffer) =>
        coded
          ? `${channel}${content.toString('base64')}`
          : Buffer.concat([Buffer.of(channel), content])
      const end = tunnel.open(
        {
          send(channel, content) {
            if (connection.send(sent(channel, Buffer.from(content))) > MAX_BUFFERED_BYTES)
              connection.cut()
          },
          end: () => connection.close(),
        },
        protocol,
      )
      return {
        message(said) {
          const [first, ...rest] = said
          if (first === undefined) return
          if (coded)
            end.receive(
              first - FIRST_DIGIT,
              Buffer.from(Buffer.from(rest).toString('latin1'), 'base64'),
            )
          else end.receive(first, said.subarray(1))
        },
        closed: () => end.closed(),
      }
    },
  }
}

/** Before each event of Protobuf stands its length, which a message knows of itself. */
const LENGTH_BYTES = 4

/**
 * No protocol of its own: one that a client asks for is agreed to, and changes nothing. Who names no origin, or several protocols, is
 * refused, as by the real server's library.
 */
function events(answer: ApiResponse): WebSocketProtocol {
  const asText = String(answer.headers['content-type']).startsWith('application/json')
  const eventOf = (chunk: string | Uint8Array) =>
    asText ? Buffer.from(chunk).toString() : Buffer.from(chunk).subarray(LENGTH_BYTES)
  return {
    selectProtocol: ([first = '']) => first,
    rejection: ({ origin }, offered) =>
      origin === undefined ? 403 : offered.length > 1 ? 400 : undefined,
    begin: (connection) => sendBody(answer.body, connection, eventOf),
  }
}

const BYTES = ['binary.k8s.io', 'base64.binary.k8s.io']

function bytes({ body }: ApiResponse): WebSocketProtocol {
  return {
    selectProtocol: (offered) =>
      offered.length === 0 ? '' : offered.find((name) => BYTES.includes(name)),
    begin(connection, protocol) {
      const coded = (chunk: string | Uint8Array) =>
        inBase64(protocol) ? Buffer.from(chunk).toString('base64') : Buffer.from(chunk)
      // An empty message says that the log was found, however long its first line takes.
      connection.send(coded(''))
      return sendBody(body, connection, coded)
    },
  }
}

/** What the client says meanwhile is not heard. */
function sendBody(
  body: ApiResponse['body'],
  connection: WebSocketConnection,
  messageOf: (chunk: string | Uint8Array) => string | Uint8Array,
): MessageListener {
  const sink: StreamSink = {
    write(chunk) {
      const held = connection.send(messageOf(chunk))
      if (held > MAX_BUFFERED_BYTES) connection.cut()
      return held < BACKPRESSURE_BYTES
    },
    end: () => connection.close(),
    abort: () => connection.cut(),
  }
  if (isStream(body)) return { message() {}, closed: body.start(sink) }
  if (body !== undefined && body.length > 0) sink.write(body)
  sink.end()
  return { message() {}, closed() {} }
}
