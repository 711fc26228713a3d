import type { Readable } from 'node:stream'
import type {
  Outbound,
  OutboundRequest,
  OutboundResponse,
  PassedRequest,
  PassedResponse,
  UpgradedResponse,
} from '../../engine/core/outbound'
import type { BodyStream } from '../../engine/http/messages'
import { CALL_LIMITS, Connections, STREAM_LIMITS } from './outbound-connections'
import { outboundError } from './outbound-errors'
import { Cancellation, connectionLost, type Exchange, type Reply } from './outbound-exchange'
import { targetOf } from './outbound-target'
import { upgradeOver } from './outbound-upgrade'

export interface NetworkOutbound extends Required<Outbound> {
  /** Ends all connections. */
  close(): void
}

/**
 * @param services URLs of services by `namespace/name:port`, such as `http://127.0.0.1:9000`
 * @param limits connection limits of calls
 */
export function outboundOver(
  services: ReadonlyMap<string, string>,
  limits = CALL_LIMITS,
): NetworkOutbound {
  const calls = new Connections(limits)
  const streams = new Connections(STREAM_LIMITS)
  return {
    post: (request, onCancel) => call(calls, 'POST', located(request, services), onCancel),
    get: (request, onCancel) => call(calls, 'GET', located(request, services), onCancel),
    pass: (request, onCancel) => pass(streams, located(request, services), onCancel),
    upgrade: (request, onCancel) => upgrade(located(request, services), onCancel),
    close() {
      calls.close()
      streams.close()
    },
  }
}

type Sent = Omit<PassedRequest, 'method' | 'headers' | 'body'> & {
  headers: PassedRequest['headers']
  body?: string | Uint8Array
}
type OnCancel = (run: () => void) => void

function located<Request extends Pick<OutboundRequest, 'service' | 'connectTo'>>(
  request: Request,
  services: ReadonlyMap<string, string>,
): Request {
  const { service } = request
  const known = service && services.get(`${service.namespace}/${service.name}:${service.port}`)
  return known === undefined ? request : { ...request, connectTo: known }
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
])

async function pass(
  connections: Connections,
  request: PassedRequest,
  onCancel: OnCancel,
): Promise<PassedResponse> {
  const { status, headers, body } = await send(connections, request.method, request, onCancel)
  return { status, headers: withoutHops(headers), body: streamOf(body) }
}

function withoutHops(headers: Reply['headers']): Record<string, string | string[]> {
  const passed = Object.entries(headers).flatMap(([name, values]): [string, string | string[]][] =>
    HOP_BY_HOP.has(name) ? [] : [[name, values.length === 1 ? (values[0] as string) : values]],
  )
  return Object.fromEntries(passed)
}

/** @throws OutboundError */
async function upgrade(
  request: PassedRequest,
  onCancel: OnCancel,
): Promise<PassedResponse | UpgradedResponse> {
  const cancellation = new Cancellation()
  onCancel(() => cancellation.cancel())
  const url = new URL(request.url)
  try {
    const reply = await upgradeOver(
      targetOf(url, request),
      exchangeOf(request.method, url, request),
      cancellation,
    )
    if ('body' in reply)
      return {
        status: reply.status,
        headers: withoutHops(reply.headers),
        body: streamOf(reply.body),
      }
    // `Connection` and `Upgrade` name the new protocol.
    const { connection = ['Upgrade'], upgrade: protocols = [] } = reply.headers
    const headers = {
      ...withoutHops(reply.headers),
      connection: connection.join(', '),
      upgrade: protocols.join(', '),
    }
    return { status: reply.status, headers, passage: reply.passage }
  } catch (error) {
    throw outboundError(error as Error)
  }
}

const streamOf = (body: Readable): BodyStream => ({
  start(sink) {
    if (body.destroyed && !body.readableEnded) {
      sink.abort()
      return () => undefined
    }
    let ended = false
    const finish = (run: () => void) => {
      if (ended) return
      ended = true
      run()
    }
    body.on('data', (chunk: Buffer) => void sink.write(chunk))
    body.on('end', () => finish(() => sink.end()))
    body.on('error', () => finish(() => sink.abort()))
    body.on('close', () => finish(() => sink.abort()))
    return () => {
      ended = true
      body.destroy()
    }
  },
})

async function call(
  connections: Connections,
  method: 'GET' | 'POST',
  request: Sent,
  onCancel: OnCancel,
): Promise<OutboundResponse> {
  const { status, headers, body } = await send(connections, method, request, onCancel)
  return { status, contentType: headers['content-type']?.[0] ?? '', body: await textOf(body) }
}

function textOf(body: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    if (body.destroyed) return reject(outboundError(body.errored ?? connectionLost()))
    const chunks: Buffer[] = []
    body.on('data', (chunk: Buffer) => chunks.push(chunk))
    body.on('error', (error) => reject(outboundError(error)))
    body.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    body.on('close', () => {
      if (!body.readableEnded) reject(outboundError(connectionLost()))
    })
  })
}

/** @throws OutboundError */
async function send(
  connections: Connections,
  method: string,
  request: Sent,
  onCancel: OnCancel,
): Promise<Reply> {
  const cancellation = new Cancellation()
  onCancel(() => cancellation.cancel())
  const url = new URL(request.url)
  try {
    return await connections.request(
      targetOf(url, request),
      exchangeOf(method, url, request),
      cancellation,
      request.http1Only === true,
    )
  } catch (error) {
    throw outboundError(error as Error)
  }
}

function exchangeOf(method: string, url: URL, { headers, body }: Sent): Exchange {
  const sent = {
    ...headers,
    host: url.host,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  return { method, path: url.pathname + url.search, headers: sent, body }
}
