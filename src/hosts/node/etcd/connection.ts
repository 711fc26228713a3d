/** gRPC over HTTP/2 ("PROTOCOL-HTTP2"): unary calls and server streams. */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import type { ConnectionOptions } from 'node:tls'

export interface Credentials {
  /** The system's CAs if absent. */
  trust?: Pick<ConnectionOptions, 'ca'>
  /** PEM. */
  certificate?: string
  /** PEM. */
  key?: string
}

export class CallError extends Error {
  constructor(
    message: string,
    /** gRPC status code; 14 (unavailable) without a response. */
    readonly code: number,
    /** The call had no effect: rejected, or never sent. */
    readonly certain: boolean,
  ) {
    super(message)
  }
}

export const Code = {
  invalidArgument: 3,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unavailable: 14,
}

/** Codes of rejections without effect. After others the effect is unknown. */
const REJECTIONS = new Set([
  Code.invalidArgument,
  Code.resourceExhausted,
  Code.failedPrecondition,
  Code.outOfRange,
  7,
  12,
  16,
])

const PREFIX_LENGTH = 5
/** Milliseconds without data until the connection closes. A busy server is only slow. */
const SILENCE = 4_000
/** Large enough for a page of a large store. */
const WINDOW = 1 << 24

export interface StreamSink {
  message(bytes: Uint8Array): void
  /** Called once when the stream ends, unless canceled. */
  end(error: CallError): void
}

export class Connection {
  private session: ClientHttp2Session | undefined
  private lastReceived = 0
  private readonly headers: Record<string, string>

  constructor(
    readonly url: string,
    private readonly credentials: Credentials,
  ) {
    this.headers = { ':method': 'POST', te: 'trailers', 'content-type': 'application/grpc' }
  }

  /**
   * @param method such as `/etcdserverpb.KV/Range`
   * @throws CallError. A timeout closes a connection without recent data, and fails its other
   * calls.
   */
  call(method: string, request: Uint8Array, milliseconds: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      let reply: Uint8Array | undefined
      let settled = false
      const settle = (run: () => void) => {
        if (settled) return
        settled = true
        clearTimeout(timer)
        run()
      }
      const sink: StreamSink = {
        message: (bytes) => {
          reply = bytes
        },
        end: (error) => settle(() => (error.code === 0 && reply ? resolve(reply) : reject(error))),
      }
      const cancel = this.open(method, sink, (stream) => stream.end(framed(request)))
      const timer = setTimeout(() => {
        settle(() =>
          reject(
            new CallError(
              `${this.url} did not respond within ${Math.round(milliseconds)} ms`,
              Code.unavailable,
              false,
            ),
          ),
        )
        cancel()
        if (performance.now() - this.lastReceived > SILENCE) this.disconnect()
      }, milliseconds)
    })
  }

  /** The request side stays open. @returns cancels the stream; the sink then receives nothing */
  stream(method: string, request: Uint8Array, sink: StreamSink): () => void {
    return this.open(method, sink, (stream) => stream.write(framed(request)))
  }

  private open(
    method: string,
    sink: StreamSink,
    send: (stream: ClientHttp2Stream) => void,
  ): () => void {
    let live = true
    const end = (error: CallError) => {
      if (!live) return
      live = false
      sink.end(error)
    }
    const session = this.connected()
    let stream: ClientHttp2Stream
    try {
      stream = session.request({ ...this.headers, ':path': method })
    } catch (error) {
      queueMicrotask(() => end(unsent(this.url, error)))
      return () => {
        live = false
      }
    }
    const status = new GrpcStatus()
    const frames = new Frames((bytes) => {
      if (live) sink.message(bytes)
    })
    stream.on('response', (headers) => status.read(headers))
    stream.on('trailers', (headers) => status.read(headers))
    stream.on('data', (chunk: Buffer) => {
      this.lastReceived = performance.now()
      frames.take(chunk)
    })
    let cause: unknown
    stream.on('error', (error) => {
      cause = error
    })
    stream.on('close', () => end(status.known ? status.error() : this.lost(session, stream, cause)))
    send(stream)
    return () => {
      live = false
      stream.close(constants.NGHTTP2_CANCEL)
    }
  }

  private lost(session: ClientHttp2Session, stream: ClientHttp2Stream, cause: unknown): CallError {
    if (this.session === session && (session.closed || session.destroyed)) this.session = undefined
    const isUnprocessed = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
    if (isUnprocessed || !reached.has(session)) return unsent(this.url, cause)
    return new CallError(`${this.url} broke off: ${textOf(cause)}`, Code.unavailable, false)
  }

  private connected(): ClientHttp2Session {
    if (this.session && !this.session.closed && !this.session.destroyed) return this.session
    const { trust, certificate, key } = this.credentials
    const session = connect(this.url, {
      ...trust,
      ...(certificate ? { cert: certificate } : {}),
      ...(key ? { key } : {}),
      settings: { initialWindowSize: WINDOW, enablePush: false },
    })
    session.on('connect', () => {
      reached.add(session)
      this.lastReceived = performance.now()
      session.setLocalWindowSize(WINDOW)
    })
    // Streams report their own ends; an unhandled error would end the process.
    session.on('error', () => undefined)
    session.on('goaway', () => this.drop(session))
    session.on('close', () => this.drop(session))
    session.unref()
    this.session = session
    return session
  }

  private drop(session: ClientHttp2Session): void {
    if (this.session === session) this.session = undefined
  }

  disconnect(): void {
    this.session?.destroy()
    this.session = undefined
  }
}

/** Sessions that connected. Calls on others were never sent. */
const reached = new WeakSet<ClientHttp2Session>()

const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error ?? 'the stream was closed')

const unsent = (url: string, cause: unknown): CallError =>
  new CallError(`${url} cannot be reached: ${textOf(cause)}`, Code.unavailable, true)

/** In the trailers, or in the headers without content. */
class GrpcStatus {
  private code: number | undefined
  private message = ''

  get known(): boolean {
    return this.code !== undefined
  }

  read(headers: IncomingHttpHeaders): void {
    const code = headers['grpc-status']
    if (code !== undefined) {
      this.code = Number(code)
      this.message = decodeURIComponent(String(headers['grpc-message'] ?? ''))
    } else if (headers[':status'] !== undefined && Number(headers[':status']) !== 200) {
      this.code = Code.unavailable
      this.message = `HTTP status ${headers[':status']}`
    }
  }

  error(): CallError {
    const code = this.code ?? Code.unavailable
    return new CallError(this.message, code, REJECTIONS.has(code))
  }
}

function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_LENGTH + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, PREFIX_LENGTH)
  return frame
}

class Frames {
  private waiting: Buffer[] = []
  private size = 0
  private wanted = PREFIX_LENGTH

  constructor(private readonly deliver: (message: Uint8Array) => void) {}

  take(chunk: Buffer): void {
    this.waiting.push(chunk)
    this.size += chunk.length
    if (this.size < this.wanted) return
    let rest = this.waiting.length === 1 ? chunk : Buffer.concat(this.waiting, this.size)
    for (;;) {
      if (rest.length < PREFIX_LENGTH) {
        this.wanted = PREFIX_LENGTH
        break
      }
      this.wanted = PREFIX_LENGTH + rest.readUInt32BE(1)
      if (rest.length < this.wanted) break
      this.deliver(rest.subarray(PREFIX_LENGTH, this.wanted))
      rest = rest.subarray(this.wanted)
    }
    this.waiting = rest.length > 0 ? [rest] : []
    this.size = rest.length
  }
}
