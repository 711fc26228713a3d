import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { entryOf } from '../../engine/core/object'
import {
  type ApiRequest,
  type ClientCertificate,
  IncompleteBodyError,
} from '../../engine/http/messages'

/** Returns the verified client certificate of a connection. */
export type CertificateOf = (socket: unknown) => ClientCertificate | undefined

/**
 * One byte more than the API's 3 MiB limit (`MaxRequestBodyBytes` in k8s.io/apiserver), so that the
 * engine detects larger bodies.
 */
const POOLED_BYTES = 3 * 1024 * 1024 + 1

const NOTHING = new Uint8Array()

const SLASH = 0x2f

/** Path and query. Clients of proxies send scheme and host too (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** In queries, invalid percent escapes only drop their parameter. */
export function hasBrokenEscape(target: string): boolean {
  if (!target.includes('%')) return false
  const mark = target.indexOf('?')
  return /%(?![0-9a-fA-F]{2})/.test(mark < 0 ? target : target.slice(0, mark))
}

/** @throws IncompleteBodyError if the client disconnects before the end */
export function bodyOf(message: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // A client that disconnected earlier emits no further event.
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
