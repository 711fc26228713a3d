/**
 * Kept outbound connections, by the rules of Go's `http.Transport` as client-go configures it:
 * HTTP/2 if selected by ALPN, otherwise HTTP/1.1 with keep-alive.
 *
 * | limit | value | from |
 * |---|---|---|
 * | idle time | 90 s | `IdleConnTimeout` |
 * | idle HTTP/1.1 connections a target | 25 | client-go `idleConnsPerHost` |
 * | open HTTP/1.1 connections a target | 1000 for calls | Go has none; it bounds webhooks that call each other |
 *
 * A target is address, server name, trusted and client certificates, and verification mode. A
 * change of any of them uses new connections.
 */
import { connect, type TLSSocket } from 'node:tls'
import {
  type Cancellation,
  connectionLost,
  type Exchange,
  type Reply,
  StaleConnection,
  type Target,
} from './outbound-exchange'
import { type Http1Limits, Http1Pool } from './outbound-http1'
import { Http2Pool, type SharedConnection } from './outbound-http2'

export const CALL_LIMITS: Http1Limits = {
  idleTimeout: 90_000,
  idlePerTarget: 25,
  openPerTarget: 1000,
}
/** Each open watch occupies one connection. */
export const STREAM_LIMITS: Http1Limits = {
  ...CALL_LIMITS,
  openPerTarget: Number.POSITIVE_INFINITY,
}

/** client-go's `net.Dialer`. */
const DIAL_TIMEOUT = 30_000
/** kube-apiserver caches as many webhook clients. */
const TARGETS = 200

/** Exactly one of both members is set. */
interface Negotiated {
  shared?: SharedConnection
  http1?: TLSSocket
}

export class Connections {
  private readonly http1: Http1Pool
  private readonly http2: Http2Pool
  /** Targets whose server chose HTTP/1.1. */
  private readonly chosenHttp1 = new Set<string>()
  private readonly tlsSessions = new Map<string, Buffer>()
  private readonly dialing = new Map<string, Promise<Negotiated>>()
  private closed = false

  constructor(limits: Http1Limits) {
    this.http1 = new Http1Pool(limits)
    this.http2 = new Http2Pool(limits.idleTimeout)
  }

  /**
   * Replaces a kept connection that the server closed under Go's conditions: nothing was written,
   * or nothing was received and the method may be replayed. On a new connection nothing is sent
   * twice.
   * @param http1Only does not offer HTTP/2
   * @throws the network's error
   */
  async request(
    target: Target,
    exchange: Exchange,
    cancellation: Cancellation,
    http1Only: boolean,
  ): Promise<Reply> {
    for (;;) {
      if (this.closed || cancellation.canceled) throw connectionLost()
      try {
        return await this.attempt(target, exchange, cancellation, http1Only)
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error
      }
    }
  }

  /** Ends connections in use too. */
  close(): void {
    this.closed = true
    this.http1.close()
    this.http2.close()
  }

  private async attempt(
    target: Target,
    exchange: Exchange,
    cancellation: Cancellation,
    http1Only: boolean,
  ): Promise<Reply> {
    if (http1Only || !target.secure) return this.http1.request(target, exchange, cancellation)
    const { name } = target
    if (this.chosenHttp1.has(name)) return this.http1.request(target, exchange, cancellation)
    const shared = this.http2.available(name)
    if (shared !== undefined) return shared.request(exchange, cancellation)
    const underway = this.dialing.get(name)
    // Waits for another request's negotiation of the same target.
    if (underway !== undefined) {
      await underway
      return this.attempt(target, exchange, cancellation, http1Only)
    }
    const { shared: opened, http1 } = await this.negotiate(name, target)
    return (
      opened?.request(exchange, cancellation) ??
      this.http1.request(target, exchange, cancellation, http1)
    )
  }

  private negotiate(name: string, target: Target): Promise<Negotiated> {
    const dialing = this.dial(name, target)
      .then((socket) => {
        if (this.closed) {
          socket.destroy()
          throw connectionLost()
        }
        if (socket.alpnProtocol === 'h2') return { shared: this.http2.open(name, socket) }
        this.chosenHttp1.add(name)
        bound(this.chosenHttp1)
        return { http1: socket }
      })
      .finally(() => this.dialing.delete(name))
    this.dialing.set(name, dialing)
    return dialing
  }

  private dial(name: string, { host, port, servername, tls }: Target): Promise<TLSSocket> {
    const session = this.tlsSessions.get(name)
    return new Promise((resolve, reject) => {
      const socket = connect({
        host,
        port,
        servername,
        ...tls,
        ALPNProtocols: ['h2', 'http/1.1'],
        ...(session ? { session } : {}),
      })
      socket.setTimeout(DIAL_TIMEOUT, () =>
        socket.destroy(Object.assign(new Error('i/o timeout'), { code: '' })),
      )
      socket.on('session', (ticket: Buffer) => {
        this.tlsSessions.delete(name)
        this.tlsSessions.set(name, ticket)
        bound(this.tlsSessions)
      })
      socket.once('secureConnect', () => {
        socket.setTimeout(0)
        socket.removeAllListeners('timeout')
        socket.setNoDelay(true)
        socket.off('error', reject)
        // Until the negotiated protocol adds its own listener.
        socket.on('error', () => undefined)
        resolve(socket)
      })
      socket.on('error', reject)
    })
  }
}

/** Evicts the oldest. */
function bound(known: Set<string> | Map<string, unknown>): void {
  if (known.size <= TARGETS) return
  for (const oldest of known.keys()) {
    known.delete(oldest)
    return
  }
}
