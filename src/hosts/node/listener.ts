/** Listens for plain HTTP or for HTTPS, on the loopback interface unless told otherwise, and bounds what clients may take up. */

import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import { entryOf } from '../../engine/object'
import { type Handle, requestListener } from './adapter'
import type { ClientAuthorities } from './client-certificates'
import { DirectConnections } from './direct/direct-connections'
import { Http2Connections } from './http2'
import { TickBatcher } from './tick-batcher'
import { tunnelListener } from './tunnels'
import { respondToUnknownMethod } from './unknown-method'
import { WatchFlushScheduler } from './watch-writer'

export interface Listener {
  /** `http://127.0.0.1:8080` */
  address: string
  /** Takes no new connections, ends those that wait for their next request and resolves when the last one has ended. */
  close(): Promise<void>
}

const HEAD_BYTES = 1024 * 1024

/** What one port gives to its clients together, and how long it waits for what they send (docs/limits.md). */
export interface ClientLimits {
  /** Milliseconds in which a request's head has to come; kube-apiserver's are as many. */
  head: number
  /** Milliseconds in which all of it has to come: its response, a watch for one, may take as long as it likes. */
  request: number
  /** Milliseconds after which a connection without a request is closed: long, as that is rather the client's to do. */
  idle: number
  connections: number
  /** Watches, followed logs. */
  streams: number
  /** Requests that one connection of HTTP/2 may have open; kube-apiserver's are as many. */
  atOnce: number
}

const LIMITS: ClientLimits = {
  head: 32_000,
  request: 60_000,
  idle: 120_000,
  connections: 10_000,
  streams: 5_000,
  atOnce: 100,
}

/** What is said of a request that HTTP's parser gives up on, by its reason. */
const TOO_LATE = '408 Request Timeout'
const REJECTIONS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: TOO_LATE,
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

const refusal = (status: string): string =>
  `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${status}`

/** How often a closing server looks for connections that have nothing left to answer. */
const SWEEP_MILLISECONDS = 20

export interface ListenOptions {
  /** 0 takes a free one. */
  port: number
  /** Where to listen; this machine alone if absent. */
  address?: string
  /** Key and certificate in PEM: speak HTTPS. */
  identity?: { key: string; cert: string }
  /** Who vouches for clients that bring a certificate. */
  authorities?: ClientAuthorities | undefined
  /** Which versions and suites HTTPS speaks; the system's own if absent. */
  tls?: Pick<SecureContextOptions, 'minVersion' | 'ciphers'>
  /** HTTPS speaks HTTP/1.1 alone, to whomever. */
  http1Only?: boolean
  /** Asked behind each request over HTTP/2: whether its connection is to be given up; never if absent. */
  closesConnection?(): boolean
  /** Those that differ from the usual. */
  limits?: Partial<ClientLimits>
  /** Told of every TLS handshake that fails. */
  handshakeFailed?(): void
  report(message: string, cause: unknown): void
}

const nothing = (): void => {}

/**
 * Lets the parser of a TLS connection read as from any stream. Joined to the connection directly, as it is at first, it gets all
 * that is decrypted at once, even behind the request for which it was told to wait because the client has not taken the response
 * before; and then it gives up. A listener for the data, even for a moment, separates them.
 */
function readRecordByRecord(socket: Duplex): void {
  socket.on('data', nothing)
  socket.off('data', nothing)
}

/** Leads the connections whose clients chose HTTP/2 away from the server, which knows HTTP/1.1. */
function diverted(server: Server, take: (socket: TLSSocket) => void): void {
  const usual = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') take(socket)
    else for (const listener of usual) listener.call(server, socket)
  })
}

/**
 * @throws the system's error if the port cannot be had
 */
export async function listen(handle: Handle, asked: ListenOptions): Promise<Listener> {
  const {
    port,
    address,
    identity,
    authorities,
    tls,
    http1Only = false,
    closesConnection = () => false,
    limits,
    report,
  } = asked
  const { head, request, idle, connections, streams, atOnce } = { ...LIMITS, ...limits }
  const options = {
    maxHeaderSize: HEAD_BYTES,
    noDelay: true,
    headersTimeout: head,
    requestTimeout: request,
    keepAliveTimeout: idle,
    connectionsCheckingInterval: Math.min(5_000, head / 2),
  } satisfies ServerOptions
  const flushScheduler = new WatchFlushScheduler(streams)
  const certificateOf = authorities?.certificateOf
  const batcher = new TickBatcher(flushScheduler)
  const answer = requestListener(handle, report, { certificateOf, flushScheduler, batcher })
  const http2 = new Http2Connections({
    handle,
    certificateOf,
    flushScheduler,
    report,
    streams: atOnce,
    idle,
    request,
    head: HEAD_BYTES,
    closesConnection,
  })
  const ALPNProtocols = http1Only ? ['http/1.1'] : ['h2', 'http/1.1']
  const server: Server = identity
    ? createSecureServer(
        { ...options, ...identity, ...tls, ...authorities?.options, ALPNProtocols },
        answer,
      )
    : createServer(options, answer)
  server.maxConnections = connections
  const interval = options.connectionsCheckingInterval
  const direct = identity
    ? undefined
    : new DirectConnections(
        server,
        { handle, batcher, flushScheduler, report, idle, head, interval },
        refusal(TOO_LATE),
      )
  if (identity) {
    server.on('secureConnection', readRecordByRecord)
    diverted(server, http2.take)
  }
  const plain = createServer(options, answer)
  server.on('upgrade', tunnelListener({ handle, plain, certificateOf, flushScheduler, report }))
  if (asked.handshakeFailed) server.on('tlsClientError', asked.handshakeFailed)
  server.on('clientError', (error, socket) => {
    if (respondToUnknownMethod(error, socket, handle)) return
    const status =
      entryOf(REJECTIONS, (error as NodeJS.ErrnoException).code ?? '') ?? '400 Bad Request'
    if (socket.writable) socket.end(refusal(status))
    else socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address ?? '127.0.0.1', resolve)
  })
  const bound = server.address() as AddressInfo
  return {
    address: `${identity ? 'https' : 'http'}://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    close: () =>
      new Promise((resolve) => {
        // A connection whose last answer was a watch becomes idle only when the watch has ended.
        const closeIdle = () => {
          server.closeIdleConnections()
          direct?.closeIdle()
        }
        const sweep = setInterval(closeIdle, SWEEP_MILLISECONDS)
        server.close(() => {
          clearInterval(sweep)
          direct?.close()
          resolve()
        })
        closeIdle()
        http2.close()
      }),
  }
}
