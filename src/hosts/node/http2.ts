/** HTTP/2 on connections that negotiated it by ALPN (RFC 9113, section 3.2). */

import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { entryOf, setMember } from '../../engine/core/object'
import {
  type ApiRequest,
  type ApiResponse,
  type ClientCertificate,
  IncompleteBodyError,
  isStream,
} from '../../engine/http/messages'
import { discardBody, failed, type Handle, streamBody, tooManyStreams } from './adapter'
import { bodyOf, type CertificateOf, hasBrokenEscape } from './requests'
import type { WatchFlushScheduler } from './watch-writer'

export interface Http2Options {
  handle: Handle
  certificateOf?: CertificateOf | undefined
  flushScheduler: WatchFlushScheduler
  report(message: string, cause: unknown): void
  /** Maximum number of open streams on one connection. */
  streams: number
  /** Milliseconds without a request until the connection closes. */
  idle: number
  /** Milliseconds within which a whole request must arrive. */
  request: number
  /** Maximum bytes of a request's headers. */
  head: number
  /**
   * Called after each request: whether to close the connection, so that a load balancer can choose
   * another server.
   */
  closesConnection(): boolean
}

/** kube-apiserver's flow-control windows; almost every object fits into a stream's. */
const WINDOWS = { stream: 256 * 1024, connection: 4 * 1024 * 1024 }

/** In MB, above the bound at which `WatchWriter` cuts slow readers. */
const CONNECTION_MEGABYTES = 64

/** Maximum header pairs; `maxHeaderListSize` bounds their bytes. */
const HEADERS = 4000

/** Forbidden in HTTP/2 (RFC 9113, section 8.2.2). */
const OF_CONNECTIONS: readonly string[] = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]

const CALLED_OFF = 'the request ended before its body'

const nothing = (): void => {}

export class Http2Connections {
  private readonly sessions = new Set<ServerHttp2Session>()

  constructor(private readonly options: Http2Options) {}

  /** Serves a connection that negotiated HTTP/2. */
  readonly take = (socket: TLSSocket): void => {
    const { streams, idle, head } = this.options
    const session = performServerHandshake(socket, {
      maxSessionMemory: CONNECTION_MEGABYTES,
      maxHeaderListPairs: HEADERS,
      settings: {
        maxConcurrentStreams: streams,
        initialWindowSize: WINDOWS.stream,
        maxHeaderListSize: head,
      },
    })
    session.setLocalWindowSize(WINDOWS.connection)
    this.sessions.add(session)
    let open = 0
    session.on('close', () => this.sessions.delete(session))
    // The session closes after an error; the client may retry.
    session.on('error', nothing)
    // An open watch without events is not idle.
    session.setTimeout(idle, () => {
      if (open === 0) session.close()
    })
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw: string[]) => {
        open++
        stream.on('close', () => open--)
        this.serve(new Http2Request(stream, headers, { raw, socket, ...this.options }), stream)
      },
    )
  }

  close(): void {
    for (const session of this.sessions) session.close()
  }

  private serve(request: Http2Request, stream: ServerHttp2Stream): void {
    const { handle, flushScheduler, report, closesConnection } = this.options
    stream.on('error', nothing)
    if (hasBrokenEscape(request.target)) {
      stream.close(constants.NGHTTP2_PROTOCOL_ERROR)
      return
    }
    handle(request)
      .then((response) => {
        flushScheduler.flushBeforeResponse()
        respond(response, stream, { flushScheduler, bodiless: request.method === 'HEAD' })
        // Without valid credentials a connection gets one request, as by the gate
        // UnauthenticatedHTTP2DOSMitigation.
        if (response.status === 401 || !request.isSigned() || closesConnection())
          stream.session?.close()
      })
      .catch((cause: unknown) => {
        if (stream.destroyed || stream.closed) return
        report(`${request.method} ${request.target}`, cause)
        if (stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR)
        else respond(failed(), stream, { flushScheduler, bodiless: false })
      })
  }
}

interface ReceivedRequest {
  /** Alternating header names and values, as received. */
  raw: string[]
  socket: TLSSocket
  certificateOf?: CertificateOf | undefined
  request: number
}

class Http2Request implements ApiRequest {
  readonly method: string
  readonly target: string

  constructor(
    private readonly stream: ServerHttp2Stream,
    private readonly headers: IncomingHttpHeaders,
    private readonly received: ReceivedRequest,
  ) {
    this.method = headers[':method'] ?? 'GET'
    this.target = headers[':path'] ?? '/'
  }

  header(name: string): string | undefined {
    const value =
      (name === 'host' ? this.headers[':authority'] : undefined) ?? entryOf(this.headers, name)
    return typeof value === 'object' ? value.join(', ') : value
  }

  headerNames(): string[] {
    return Object.keys(this.headers).filter((name) => !name.startsWith(':'))
  }

  headerValues(name: string): string[] {
    const { raw } = this.received
    return raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name)
  }

  body(): Promise<Uint8Array> {
    const { stream, headers, received } = this
    if (stream.readableEnded || stream.endAfterHeaders) return Promise.resolve(new Uint8Array())
    if (stream.aborted) return Promise.reject(new IncompleteBodyError(CALLED_OFF))
    if (headers.expect?.toLowerCase() === '100-continue')
      stream.additionalHeaders({ ':status': 100 })
    const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), received.request)
    // A canceled stream emits no error, and ends as if its body were complete.
    const gone = new Promise<never>((_, reject) =>
      stream.once('aborted', () => reject(new IncompleteBodyError(CALLED_OFF))),
    )
    return Promise.race([bodyOf(stream), gone]).finally(() => clearTimeout(late))
  }

  clientCertificate(): ClientCertificate | undefined {
    return this.received.certificateOf?.(this.received.socket)
  }

  /** Whether the request carries any credentials. */
  isSigned(): boolean {
    return this.headers.authorization !== undefined || this.clientCertificate() !== undefined
  }

  remoteAddress(): string | undefined {
    return this.received.socket.remoteAddress
  }

  onClose(run: () => void): void {
    this.stream.on('close', () => {
      if (!this.stream.writableFinished) run()
    })
  }
}

interface RespondOptions {
  flushScheduler: WatchFlushScheduler
  /** The response to a HEAD request has no body. */
  bodiless: boolean
}

function respond(
  { status, headers, body }: ApiResponse,
  stream: ServerHttp2Stream,
  options: RespondOptions,
): void {
  if (stream.destroyed || stream.closed) {
    if (isStream(body)) discardBody(body)
    return
  }
  const head: OutgoingHttpHeaders = { ':status': status }
  for (const name in headers)
    if (!OF_CONNECTIONS.includes(name)) setMember(head, name, headers[name])
  if (isStream(body)) {
    const begin = () => stream.respond(head)
    if (!streamBody(body, stream, { flushScheduler: options.flushScheduler, begin }))
      respond(tooManyStreams(), stream, options)
    return
  }
  const content = Buffer.from(body ?? '')
  if (status !== 204 && status !== 304) head['content-length'] = content.length
  const ends = options.bodiless || content.length === 0
  stream.respond(head, { endStream: ends })
  if (!ends) stream.end(content)
}
