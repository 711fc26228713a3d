/** Types and errors that the connection pools of HTTP/1.1 and HTTP/2 share. */
import type { Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'

export interface Target {
  /** Names all of the other members: equal targets may share connections. */
  name: string
  secure: boolean
  host: string
  port: number
  /**
   * Name for SNI and certificate verification. If empty, no SNI is sent, and the certificate must
   * contain the IP address.
   */
  servername: string
  tls: Pick<
    ConnectionOptions,
    'allowPartialTrustChain' | 'ca' | 'cert' | 'checkServerIdentity' | 'key' | 'rejectUnauthorized'
  >
}

export interface Exchange {
  method: string
  /** Includes the query. */
  path: string
  /** Names are in lower case and include `host`. */
  headers: Readonly<Record<string, string | string[]>>
  body?: string | Uint8Array | undefined
}

export interface Reply {
  status: number
  headers: Readonly<Record<string, string[]>>
  body: Readable
}

/** The server closed a kept connection before it processed the request, so a retry is safe. */
export class StaleConnection extends Error {
  constructor(override readonly cause: Error) {
    super(cause.message)
  }
}

/** Cancels a request on whichever connection it currently uses. */
export class Cancellation {
  private isCanceled = false
  private end: (() => void) | undefined

  get canceled(): boolean {
    return this.isCanceled
  }

  /**
   * Sets the function that ends the request. Runs it at once if the request is already canceled.
   */
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
