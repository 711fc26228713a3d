/**
 * Requests that ask for another protocol: those that lead into a container become channels over a WebSocket, watches and logs become
 * messages; all others are answered as ever.
 */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ApiResponse, Tunnel, TunnelSink } from '../../engine/http/messages'
import { type Handle, respond } from './adapter'
import { inBase64, isLog, logProtocolOf, mayBeLog, openLog } from './log-socket'
import { type CertificateOf, NodeRequest } from './requests'
import { handshakeProblem, mayBeWatch, openWatch, watchIn } from './watch-socket'
import { WatchPulse } from './watch-writer'
import { acceptedHead, WebSocketConnection } from './web-socket'

/** Only these can become something else. */
const LEADS_THROUGH = /\/(?:exec|attach|portforward|proxy)(?:[/?]|$)/

export interface TunnelOptions {
  handle: Handle
  /** A server of the same kind that hears of no upgrades, for requests that only offer one. */
  plain: Server
  certificateOf?: CertificateOf | undefined
  /** Watches that are open at one time; any number if absent. */
  streams?: number
  report(message: string, cause: unknown): void
}

/** @returns the listener of a server's `upgrade` events */
export function tunnelListener({ handle, plain, certificateOf, streams, report }: TunnelOptions) {
  const pulse = new WatchPulse(streams)
  return (message: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (!LEADS_THROUGH.test(message.url ?? '') && !mayBeWatch(message) && !mayBeLog(message)) {
      socket.unshift(Buffer.concat([Buffer.from(headOf(message), 'latin1'), head]))
      plain.emit('connection', socket)
      return
    }
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(message)
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.on('finish', () => socket.end())
    handle(new NodeRequest(message, response, certificateOf)).then(
      (answer) => {
        const { tunnel } = answer
        const watch = mayBeWatch(message) && pulse.hasRoom() ? watchIn(answer) : undefined
        if (watch) {
          const problem = handshakeProblem(message)
          if (problem) {
            watch.events.start({ write: () => false, end: () => {}, abort: () => {} })()
            return respond(problem, response, pulse)
          }
          response.detachSocket(socket as never)
          pulse.opened(socket)
          return openWatch(watch, message, socket, head)
        }
        if (mayBeLog(message) && isLog(answer) && pulse.hasRoom()) {
          const protocol = logProtocolOf(offered(message))
          const problem = protocolProblem(message, protocol)
          if (problem || protocol === undefined) return respond(problem ?? answer, response, pulse)
          response.detachSocket(socket as never)
          pulse.opened(socket)
          return openLog(answer.body, protocol, message, socket, head)
        }
        const refusal = tunnel && problemOf(message, tunnel)
        if (tunnel === undefined || refusal) return respond(refusal ?? answer, response, pulse)
        response.detachSocket(socket as never)
        open(tunnel, message, socket, head)
      },
      (cause) => {
        report(`${message.method} ${message.url}`, cause)
        socket.destroy()
      },
    )
  }
}

/** The request as it came, without the offer. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (!/^(?:upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${/^connection$/i.test(name) ? 'keep-alive' : rawHeaders[i + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

const offered = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const protocolOf = (message: IncomingMessage, { protocols }: Tunnel): string | undefined =>
  protocols.find((name) => offered(message).includes(name))

const plainText = (status: number, body: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
})

/** Why there can be no tunnel; undefined: there can. */
function problemOf(message: IncomingMessage, tunnel: Tunnel): ApiResponse | undefined {
  const { upgrade = '' } = message.headers
  if (upgrade.toLowerCase() !== 'websocket') return plainText(501, `containers are reached over WebSockets here, not over ${upgrade}\n`)
  return protocolProblem(message, protocolOf(message, tunnel))
}

/** @param protocol the one to speak; undefined: none of those that are offered */
function protocolProblem(message: IncomingMessage, protocol: string | undefined): ApiResponse | undefined {
  const { 'sec-websocket-key': key, 'sec-websocket-version': version } = message.headers
  if (key === undefined || version !== '13') return plainText(400, 'no handshake of a WebSocket (RFC 6455, section 4.2)\n')
  return protocol === undefined
    ? plainText(403, `of the protocols offered none is spoken here: ${offered(message).join(', ')}\n`)
    : undefined
}

/** In the protocols whose names say so, channels are digits and their content is Base64, as texts (documentation of the package wsstream). */
const FIRST_DIGIT = 48

function open(tunnel: Tunnel, message: IncomingMessage, socket: Duplex, head: Buffer): void {
  const protocol = protocolOf(message, tunnel) ?? ''
  const coded = inBase64(protocol)
  socket.write(acceptedHead(message.headers['sec-websocket-key'] ?? '', protocol))
  const connection = new WebSocketConnection(socket, {
    message(bytes) {
      const [channel, ...content] = bytes
      if (channel === undefined) return
      if (coded) end.receive(channel - FIRST_DIGIT, Buffer.from(Buffer.from(content).toString('latin1'), 'base64'))
      else end.receive(channel, bytes.subarray(1))
    },
    closed: () => end.closed(),
  })
  const channels: TunnelSink = {
    send(channel, content) {
      if (coded) connection.sendText(`${channel}${Buffer.from(content).toString('base64')}`)
      else connection.send(Buffer.concat([Buffer.of(channel), Buffer.from(content)]))
    },
    end: () => connection.close(),
  }
  const end = tunnel.open(channels, protocol)
  connection.take(head)
}
