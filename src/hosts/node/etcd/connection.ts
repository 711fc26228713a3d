/** gRPC over HTTP/2 (the gRPC protocol specification, "PROTOCOL-HTTP2"): calls with one answer, and streams of responses. */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import type { ConnectionOptions } from 'node:tls'

/** How an etcd server is reached next to its URL. */
export interface Credentials {
  /** Whom to believe; the authorities of the system if absent. */
  trust?: Pick<ConnectionOptions, 'ca'>
  /** PEM. */
  certificate?: string
  /** PEM. */
  key?: string
}

/** A call that was not answered as it should be. */
export class CallError extends Error {
  constructor(
    message: string,
    /** Of gRPC; 14 (unavailable) where there is no response. */
    readonly code: number,
    /** Nothing was carried out: the call was rejected, or never sent. */
    readonly certain: boolean,
  ) {
    super(message)
  }
}

/** gRPC's status codes that matter here. */
export const Code = {
  invalidArgument: 3,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unavailable: 14,
}

/** Codes by which a server states that it rejected what was asked; the others leave open what became of it. */
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
/** A server that is only slow, its disk busy or its processor, is not gone. */
const SILENCE = 4_000
/** So much may be under way before it is taken in: a page of a large store. */
const WINDOW = 1 << 24

export interface StreamSink {
  message(bytes: Uint8Array): void
  /** Once, however the stream ends, unless it was cancelled. */
  end(error: CallError): void
}

export class Connection {
  private session: ClientHttp2Session | undefined
  /** When anything came from there the last time. */
  private lastReceived = 0
  private readonly headers: Record<string, string>

  constructor(
    readonly url: string,
    private readonly credentials: Credentials,
  ) {
    this.headers = { ':method': 'POST', te: 'trailers', 'content-type': 'application/grpc' }
  }

  /**
   * @param method `/etcdserverpb.KV/Range`
   * @throws CallError; a connection on which nothing at all has come for a while is given up: whoever else waits on it is told so
   */
  call(method: string, request: Uint8Array, milliseconds: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      let answer: Uint8Array | undefined
      let settled = false
      const settle = (run: () => void) => {
        if (settled) return
        settled = true
        clearTimeout(timer)
        run()
      }
      const sink: StreamSink = {
        message: (bytes) => {
          answer = bytes
        },
        end: (error) =>
          settle(() => (error.code === 0 && answer ? resolve(answer) : reject(error))),
      }
      const cancel = this.open(method, sink, (stream) => stream.end(framed(request)))
      const timer = setTimeout(() => {
        settle(() =>
          reject(
            new CallError(
              `${this.url} did not answer within ${Math.round(milliseconds)} ms`,
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

  /** A stream of responses; the side of the questions stays open. @returns how to end it from this side; then nothing more is told */
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
    const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
    if (refused || !reached.has(session)) return unsent(this.url, cause)
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
    // Each stream tells of its own end; without a listener the process would end.
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

  /** Gives the connection up; the next call makes another. */
  disconnect(): void {
    this.session?.destroy()
    this.session = undefined
  }
}

/** Sessions that stood: what was asked on others never left. */
const reached = new WeakSet<ClientHttp2Session>()

const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error ?? 'the stream was closed')

const unsent = (url: string, cause: unknown): CallError =>
  new CallError(`${url} cannot be reached: ${textOf(cause)}`, Code.unavailable, true)

/** What the trailers say, or the headers of a response without content. */
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

/** One message behind its prefix: not compressed, and its length. */
function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_LENGTH + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, PREFIX_LENGTH)
  return frame
}

/** Cuts what arrives into messages. */
class Frames {
  private waiting: Buffer[] = []
  private size = 0
  private wanted = PREFIX_LENGTH

  constructor(private readonly tell: (message: Uint8Array) => void) {}

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
      this.tell(rest.subarray(PREFIX_LENGTH, this.wanted))
      rest = rest.subarray(this.wanted)
    }
    this.waiting = rest.length > 0 ? [rest] : []
    this.size = rest.length
  }
}
