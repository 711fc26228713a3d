/** Raw HTTP as the engine sees it: nothing is built that a request may not need. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import {
  type ApiRequest,
  type ClientCertificate,
  IncompleteBodyError,
} from '../../engine/http/messages'
import { entryOf } from '../../engine/object'

/** Whom the other end of a connection has proved to be. */
export type CertificateOf = (socket: unknown) => ClientCertificate | undefined

/**
 * How much of a body is kept: one byte more than the 3 MiB that the API takes (document 1, "Limits"), so that the engine sees
 * that there was too much without the host holding all of it.
 */
const POOLED_BYTES = 3 * 1024 * 1024 + 1

const NOTHING = new Uint8Array()

const SLASH = 0x2f

/** Path and query of a target, which clients of proxies send with scheme and host in front (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Whether a path has a percent sign that begins no byte; queries may have them, and lose that pair. */
export function hasBrokenEscape(target: string): boolean {
  if (!target.includes('%')) return false
  const mark = target.indexOf('?')
  return /%(?![0-9a-fA-F]{2})/.test(mark < 0 ? target : target.slice(0, mark))
}

/** @throws IncompleteBodyError when the client goes away in the middle */
export function bodyOf(message: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Who went away before the body was requested sends no event any more.
    if (message.readableAborted)
      reject(new IncompleteBodyError('the request ended before its body was read'))
    const chunks: Uint8Array[] = []
    let kept = 0
    message.on('data', (chunk: Uint8Array) => {
      if (kept === POOLED_BYTES) return
      const room = POOLED_BYTES - kept
      const taken = chunk.length <= room ? chunk : chunk.subarray(0, room)
      chunks.push(taken)
      kept += taken.length
    })
    message.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)),
    )
    message.on('error', ({ message: why }) => reject(new IncompleteBodyError(why)))
  })
}

export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly target: string
  private readonly headers: IncomingMessage['headers']

  constructor(
    private readonly message: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly certificateOf?: CertificateOf,
  ) {
    this.method = message.method ?? 'GET'
    this.target = originForm(message.url ?? '/')
    this.headers = message.headers
  }

  header(name: string): string | undefined {
    const value = entryOf(this.headers, name)
    return typeof value === 'object' ? value.join(', ') : value
  }

  clientCertificate(): ClientCertificate | undefined {
    return this.certificateOf?.(this.message.socket)
  }

  remoteAddress(): string | undefined {
    return this.message.socket.remoteAddress
  }

  headerValues(name: string): string[] {
    return entryOf(this.message.headersDistinct, name) ?? []
  }

  headerNames(): string[] {
    return Object.keys(this.headers)
  }

  body(): Promise<Uint8Array> {
    const { headers } = this
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0')
      return Promise.resolve(NOTHING)
    return bodyOf(this.message)
  }

  onClose(run: () => void): void {
    this.response.on('close', () => {
      if (!this.response.writableFinished) run()
    })
  }
}
