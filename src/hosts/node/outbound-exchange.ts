/** What the connection pools of HTTP/1.1 and HTTP/2 have in common. */
import type { Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'

export interface Target {
  secure: boolean
  host: string
  port: number
  /** Name for SNI and for verifying the certificate. Empty: none is sent, and the certificate must name the address. */
  servername: string
  tls: Pick<
    ConnectionOptions,
    'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'allowPartialTrustChain'
  >
}

export interface Exchange {
  method: string
  /** With its query. */
  path: string
  /** Lower-case names, `host` among them. */
  headers: Readonly<Record<string, string | string[]>>
  body?: string | Uint8Array | undefined
}

export interface Reply {
  status: number
  headers: Readonly<Record<string, string[]>>
  body: Readable
}

/** The server had closed a kept connection, and has not processed the request. Sending it again is safe. */
export class StaleConnection extends Error {
  constructor(override readonly cause: Error) {
    super(cause.message)
  }
}

/** Ends a request, whatever connection it is on at the time. */
export class Cancellation {
  private isCanceled = false
  private end: (() => void) | undefined

  get canceled(): boolean {
    return this.isCanceled
  }

  /** Replaces what ends the request; runs it at once if the request is already canceled. */
  endBy(end: () => void): void {
    this.end = end
    if (this.isCanceled) end()
  }

  cancel(): void {
    this.isCanceled = true
    this.end?.()
  }
}

/** The error of a connection that ended without a response. */
export const connectionLost = (): Error =>
  Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
