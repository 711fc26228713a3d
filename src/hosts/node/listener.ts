/** Listens for plain HTTP or for HTTPS, on the loopback interface unless told otherwise, and bounds what clients may take up. */
import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Handle, requestListener } from './adapter'
import type { ClientAuthorities } from './client-certificates'
import { tunnelListener } from './tunnels'
import { answerUnknownMethod } from './unknown-method'
import { WatchPulse } from './watch-writer'

export interface Listener {
  /** `http://127.0.0.1:8080` */
  address: string
  /** Takes no new connections, ends those that wait for their next request and resolves when the last one has ended. */
  close(): Promise<void>
}

/** A connection that waits for its next request is the client's to close. */
const OPTIONS: ServerOptions = { keepAliveTimeout: 120_000, maxHeaderSize: 1024 * 1024, noDelay: true }

/** What one port gives to its clients together, and how long it waits for what they send (docs/limits.md). */
export interface ClientLimits {
  /** Milliseconds in which a request's head has to come; the real server's are as many. */
  head: number
  /** Milliseconds in which all of it has to come: its answer, a watch for one, may take as long as it likes. */
  request: number
  connections: number
  /** Watches, followed logs. */
  streams: number
}

const LIMITS: ClientLimits = { head: 32_000, request: 60_000, connections: 10_000, streams: 5_000 }

/** What is said of a request that HTTP's parser gives up on, by its reason. */
const REFUSALS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

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
  /** Those that differ from the usual. */
  limits?: Partial<ClientLimits>
  report(message: string, cause: unknown): void
}

const nothing = (): void => {}

/**
 * Lets the parser of a TLS connection read as from any stream. Joined to the connection directly, as it is at first, it gets all
 * that is decrypted at once, even behind the request for which it was told to wait because the client has not taken the answer
 * before; and then it gives up. A listener for the data, even for a moment, separates them.
 */
function readRecordByRecord(socket: Duplex): void {
  socket.on('data', nothing)
  socket.off('data', nothing)
}

/**
 * @throws the system's error if the port cannot be had
 */
export async function listen(handle: Handle, { port, address, identity, authorities, limits, report }: ListenOptions): Promise<Listener> {
  const { head, request, connections, streams } = { ...LIMITS, ...limits }
  const options = { ...OPTIONS, headersTimeout: head, requestTimeout: request, connectionsCheckingInterval: Math.min(5_000, head / 2) }
  const pulse = new WatchPulse(streams)
  const certificateOf = authorities?.certificateOf
  const answer = requestListener(handle, report, { certificateOf, pulse })
  const server: Server = identity
    ? createSecureServer({ ...options, ...identity, ...authorities?.options }, answer)
    : createServer(options, answer)
  server.maxConnections = connections
  if (identity) server.on('secureConnection', readRecordByRecord)
  const plain = createServer(options, answer)
  server.on('upgrade', tunnelListener({ handle, plain, certificateOf, pulse, report }))
  server.on('clientError', (error, socket) => {
    if (answerUnknownMethod(error, socket, handle)) return
    const status = REFUSALS[(error as NodeJS.ErrnoException).code ?? ''] ?? '400 Bad Request'
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${status}`)
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
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLISECONDS)
        server.close(() => {
          clearInterval(sweep)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}
