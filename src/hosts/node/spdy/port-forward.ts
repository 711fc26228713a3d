/**
 * Port forwarding over SPDY/3.1: each connection has a data and an error stream with one request id
 * (package cri/streaming/portforward).
 */
import type { PortEnd, PortForwarding } from '../../../engine/http/messages'
import { Backlog } from './backlog'
import { SpdySession, type SpdyStream, type StreamListener, type Wire } from './session'

export const PORT_FORWARD_PROTOCOL = 'portforward.k8s.io'
const CREATION_MILLISECONDS = 30_000
const HIGHEST_PORT = 65_535

interface Pair {
  error?: SpdyStream
  data?: SpdyStream
  received: Backlog<PortEnd>
  given: NodeJS.Timeout
}

export function portForward(forwarding: PortForwarding, wire: Wire): SpdySession {
  /** Pairs that lack a stream. */
  const pairs = new Map<string, Pair>()

  const pairOf = (request: string): Pair => {
    const known = pairs.get(request)
    if (known) return known
    const given = setTimeout(() => {
      pairs.delete(request)
      pair.error?.send(`(request=${request}) timed out waiting for streams`)
    }, CREATION_MILLISECONDS)
    const pair: Pair = { received: new Backlog(), given }
    pairs.set(request, pair)
    return pair
  }

  const connect = (port: number, request: string, { error, data, received, given }: Pair) => {
    if (error === undefined || data === undefined) return
    pairs.delete(request)
    clearTimeout(given)
    const sink = {
      send: (content: Uint8Array) => data.send(content),
      fail: (message: string) => error.send(message),
      end() {
        data.end()
        error.end()
      },
    }
    received.deliverTo(forwarding.connect(port, sink))
  }

  const accept = (stream: SpdyStream): StreamListener | undefined => {
    const type = stream.headers.get('streamtype')
    const port = portIn(stream.headers.get('port') ?? '')
    if (port === undefined || (type !== 'error' && type !== 'data')) return undefined
    const request = requestOf(stream, type)
    const pair = pairOf(request)
    const isNew = pair[type] === undefined
    if (isNew) pair[type] = stream
    const hear = (size: number, run: (end: PortEnd) => void) => {
      if (type === 'data' && isNew && !pair.received.deliver(size, run)) wire.end()
    }
    return {
      opened() {
        if (isNew) connect(port, request, pair)
        else
          pair.error?.send(
            `error processing stream for request ${request}: ${type} stream already assigned`,
          )
      },
      receive: (bytes) => hear(bytes.length, (end) => end.receive(bytes)),
      ended: () => hear(1, (end) => end.ended()),
      closed: () => hear(1, (end) => end.ended()),
    }
  }

  return new SpdySession(wire, accept, () => {
    for (const { given } of pairs.values()) clearTimeout(given)
  })
}

function portIn(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port > 0 && port <= HIGHEST_PORT ? port : undefined
}

/** Without request ids, clients open the error stream first and the data stream next. */
function requestOf({ id, headers }: SpdyStream, type: 'error' | 'data'): string {
  return headers.get('requestid') || String(type === 'error' ? id : id - 2)
}
