/** Listens for HTTP or HTTPS, and enforces the limits of clients. */

import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import { entryOf } from '../../engine/core/object'
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
  /** Closes idle connections; resolves when the last one has ended. */
  close(): Promise<void>
}

const HEAD_BYTES = 1024 * 1024

/** Limits of one port (docs/limits.md). */
export interface ClientLimits {
  /** Milliseconds for a request's headers, as in kube-apiserver. */
  head: number
  /** Milliseconds for a whole request; responses are unbounded. */
  request: number
  /** Milliseconds until an idle connection closes. Long, so that clients usually close first. */
  idle: number
  connections: number
  /** Open watches and followed logs. */
  streams: number
  /** Open streams of an HTTP/2 connection, as in kube-apiserver. */
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

/** Status lines of the HTTP parser's rejections, by error code. */
const TOO_LATE = '408 Request Timeout'
const REJECTIONS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: TOO_LATE,
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

const rejection = (status: string): string =>
  `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${status}`

/** Interval at which a closing server looks for idle connections. */
const SWEEP_MILLISECONDS = 20

export interface ListenOptions {
  /** 0 selects a free port. */
  port: number
  /** Loopback if absent. */
  address?: string
  /** PEM; enables HTTPS. */
  identity?: { key: string; cert: string }
  /** CAs of client certificates. */
  authorities?: ClientAuthorities | undefined
  /** The system's defaults if absent. */
  tls?: Pick<SecureContextOptions, 'minVersion' | 'ciphers'>
  /** Disables HTTP/2 over HTTPS. */
  http1Only?: boolean
  /** Called after each HTTP/2 request; never closes if absent. */
  closesConnection?(): boolean
  /** Overrides of the default limits. */
  limits?: Partial<ClientLimits>
  /** Called for every failed TLS handshake. */
  handshakeFailed?(): void
  report(message: string, cause: unknown): void
}

const nothing = (): void => {}

/**
 * By default Node.js attaches the HTTP parser to the TLS connection directly; it then gets
 * decrypted bytes even while paused for backpressure, and fails. Adding a data listener, even
 * briefly, detaches it.
 */
function readRecordByRecord(socket: Duplex): void {
  socket.on('data', nothing)
  socket.off('data', nothing)
}

function diverted(server: Server, take: (socket: TLSSocket) => void): void {
  const usual = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') take(socket)
    else for (const listener of usual) listener.call(server, socket)
  })
}

/** @throws the system's error if the port is unavailable */
export async function listen(handle: Handle, listenOptions: ListenOptions): Promise<Listener> {
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
  } = listenOptions
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
  const response = requestListener(handle, report, { certificateOf, flushScheduler, batcher })
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
        response,
      )
    : createServer(options, response)
  server.maxConnections = connections
  const interval = options.connectionsCheckingInterval
  const direct = identity
    ? undefined
    : new DirectConnections(
        server,
        { handle, batcher, flushScheduler, report, idle, head, interval },
        rejection(TOO_LATE),
      )
  if (identity) {
    server.on('secureConnection', readRecordByRecord)
    diverted(server, http2.take)
  }
  const plain = createServer(options, response)
  server.on('upgrade', tunnelListener({ handle, plain, certificateOf, flushScheduler, report }))
  if (listenOptions.handshakeFailed) server.on('tlsClientError', listenOptions.handshakeFailed)
  server.on('clientError', (error, socket) => {
    if (respondToUnknownMethod(error, socket, handle)) return
    const status =
      entryOf(REJECTIONS, (error as NodeJS.ErrnoException).code ?? '') ?? '400 Bad Request'
    if (socket.writable) socket.end(rejection(status))
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
        // A connection with a watch becomes idle only when the watch ends.
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
