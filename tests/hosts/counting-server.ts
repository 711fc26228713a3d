import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createSecureServer as createHttp2Server,
  type Http2SecureServer,
  type ServerHttp2Session,
} from 'node:http2'
import type { AddressInfo, Server, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { OutboundRequest } from '../../src/engine/core/outbound'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { outboundOver } from '../../src/hosts/node/outbound'
import { CALL_LIMITS } from '../../src/hosts/node/outbound-connections'

export const { key, cert } = servingCertificate('hook', Date.now())

export const cleanups: (() => void)[] = []

export function outbound(limits: Partial<typeof CALL_LIMITS> = {}) {
  const made = outboundOver(new Map(), { ...CALL_LIMITS, ...limits })
  cleanups.push(() => made.close())
  return made
}

export interface Counted {
  port: number
  /** Counts all connections. */
  connections: Socket[]
  bodies: string[]
  protocols: string[]
  /** Whether each connection resumed a TLS session. */
  resumed: boolean[]
}

export type Respond = (request: IncomingMessage, response: ServerResponse) => void
export const ok: Respond = (_request, response) => void response.end('{}')

export async function counting(
  server: Server,
  event: 'connection' | 'secureConnection',
): Promise<Counted> {
  const connections: Socket[] = []
  const resumed: boolean[] = []
  server.on(event, (socket: Socket) => {
    connections.push(socket.on('error', () => {}))
    if (socket instanceof TLSSocket) resumed.push(socket.isSessionReused())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanups.push(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    bodies: [],
    protocols: [],
    resumed,
  }
}

export function noting(counted: () => Counted, respond: Respond): Respond {
  return (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      counted().bodies.push(body)
      counted().protocols.push(request.httpVersion)
      respond(request, response)
    })
  }
}

export async function http2(
  respond = ok,
  settings = {},
): Promise<Counted & { server: Http2SecureServer; sessions: ServerHttp2Session[] }> {
  const server = createHttp2Server({ key, cert, settings, allowHTTP1: true }, (request, response) =>
    noting(() => counted, respond)(request as never, response as never),
  )
  const sessions: ServerHttp2Session[] = []
  server.on('session', (session) => sessions.push(session.on('error', () => {})))
  const counted = await counting(server as unknown as Server, 'secureConnection')
  return Object.assign(counted, { server, sessions })
}

export const to = (
  { port }: { port: number },
  more: Partial<OutboundRequest> = {},
): OutboundRequest => ({
  url: `https://127.0.0.1:${port}/call?timeout=10s`,
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  certificates: cert,
  ...more,
})
export const never = () => {}
export const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))
