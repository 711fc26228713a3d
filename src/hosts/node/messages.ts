/**
 * Responses over WebSockets: channels of remote commands, one watch event per message, logs as
 * bytes (kube-apiserver's package wsstream: `channel.k8s.io` and its successors, `binary.k8s.io`,
 * and Base64 forms).
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

/** @returns undefined for a response that only HTTP carries */
export function webSocketProtocolOf(response: ApiResponse): WebSocketProtocol | undefined {
  if (response.tunnel) return channels(response.tunnel)
  if (response.forwarding) return forwardedPorts(response.forwarding)
  if (response.messages === 'events') return events(response)
  return response.messages === 'bytes' ? bytes(response) : undefined
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
        message(received) {
          const [first, ...rest] = received
          if (first === undefined) return
          if (coded)
            end.receive(
              first - FIRST_DIGIT,
              Buffer.from(Buffer.from(rest).toString('latin1'), 'base64'),
            )
          else end.receive(first, received.subarray(1))
        },
        closed: () => end.closed(),
      }
    },
  }
}

/** The length prefix of Protobuf events, which messages do not need. */
const LENGTH_BYTES = 4

/**
 * Watches have no subprotocol: any requested one is accepted. A client without Origin, or with
 * several protocols, is rejected, as by kube-apiserver's library.
 */
function events(response: ApiResponse): WebSocketProtocol {
  const asText = String(response.headers['content-type']).startsWith('application/json')
  const eventOf = (chunk: string | Uint8Array) =>
    asText ? Buffer.from(chunk).toString() : Buffer.from(chunk).subarray(LENGTH_BYTES)
  return {
    selectProtocol: ([first = '']) => first,
    rejection: ({ origin }, offered) =>
      origin === undefined ? 403 : offered.length > 1 ? 400 : undefined,
    begin: (connection) => sendBody(response.body, connection, eventOf),
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
      // An empty message confirms the log before its first line.
      connection.send(coded(''))
      return sendBody(body, connection, coded)
    },
  }
}

/** Messages of the client are ignored. */
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
