import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import {
  type Cancellation,
  connectionLost,
  type Exchange,
  type Reply,
  StaleConnection,
} from './outbound-exchange'

/** Go's default until the server's SETTINGS arrive. */
const STREAMS_AT_FIRST = 100
/** client-go's defaults of `HTTP2_READ_IDLE_TIMEOUT_SECONDS` and `HTTP2_PING_TIMEOUT_SECONDS`. */
const PING_INTERVAL = 30_000
const PING_TIMEOUT = 15_000
const STREAM_WINDOW = 1 << 20
/** Forbidden in HTTP/2 (RFC 9113, section 8.2.2). */
const HTTP1_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

export class Http2Pool {
  private readonly sessions = new Map<string, Set<SharedConnection>>()

  constructor(private readonly idleTimeout: number) {}

  /** @returns a connection with a free stream */
  available(name: string): SharedConnection | undefined {
    for (const session of this.sessions.get(name) ?? []) if (session.hasRoom) return session
    return undefined
  }

  /** Starts HTTP/2 on a connection whose server selected it. */
  open(name: string, socket: TLSSocket): SharedConnection {
    const sessions = this.sessions.get(name) ?? new Set()
    this.sessions.set(name, sessions)
    const session = new SharedConnection(socket, this.idleTimeout, () => {
      sessions.delete(session)
      if (sessions.size === 0 && this.sessions.get(name) === sessions) this.sessions.delete(name)
    })
    sessions.add(session)
    return session
  }

  close(): void {
    for (const sessions of [...this.sessions.values()])
      for (const session of [...sessions]) session.destroy()
  }
}

export class SharedConnection {
  private readonly session: ClientHttp2Session
  private streams = 0
  private most = STREAMS_AT_FIRST
  private used = false
  private retired = false
  private idle: NodeJS.Timeout | undefined
  private health: NodeJS.Timeout | undefined

  constructor(
    socket: TLSSocket,
    private readonly idleTimeout: number,
    private readonly gone: () => void,
  ) {
    const settings = { enablePush: false, initialWindowSize: STREAM_WINDOW }
    this.session = connect('https://kept', { createConnection: () => socket, settings })
    this.session.on('remoteSettings', ({ maxConcurrentStreams }) => {
      this.most = maxConcurrentStreams ?? this.most
    })
    // Streams report the errors of their session.
    this.session.on('error', () => this.retire())
    this.session.on('goaway', () => this.retire())
    this.session.on('close', () => this.ended())
    this.rest()
  }

  get hasRoom(): boolean {
    return (
      !this.retired && !this.session.closed && !this.session.destroyed && this.streams < this.most
    )
  }

  /** @throws StaleConnection if the server did not process the request, the network's error */
  request({ method, path, headers, body }: Exchange, cancellation: Cancellation): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const kept = this.used
      this.used = true
      const pseudo = { ':method': method, ':path': path, ':authority': String(headers.host) }
      const stream = this.streamFor({ ...pseudo, ...http2Headers(headers) }, body === undefined)
      if (stream instanceof Error) return reject(kept ? new StaleConnection(stream) : stream)
      this.work()
      stream.on('response', (received) => {
        resolve({ status: Number(received[':status']), headers: distinct(received), body: stream })
      })
      stream.on('error', (error) => {
        const isUnprocessed = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
        if (isUnprocessed) this.retire()
        reject(isUnprocessed && kept && !cancellation.canceled ? new StaleConnection(error) : error)
      })
      stream.on('close', () => {
        this.streams--
        this.rest()
        reject(connectionLost())
      })
      cancellation.endBy(() => stream.close(constants.NGHTTP2_CANCEL))
      if (body !== undefined) stream.end(body)
    })
  }

  destroy(): void {
    this.session.destroy()
    this.ended()
  }

  private streamFor(
    headers: Record<string, string | string[]>,
    endStream: boolean,
  ): ClientHttp2Stream | Error {
    try {
      const stream = this.session.request(headers, { endStream })
      this.streams++
      return stream
    } catch {
      this.retire()
      return connectionLost()
    }
  }

  /** Excludes the connection from new requests; open ones continue. */
  private retire(): void {
    this.retired = true
    this.gone()
  }

  private ended(): void {
    clearTimeout(this.idle)
    clearInterval(this.health)
    this.retire()
  }

  private work(): void {
    clearTimeout(this.idle)
    this.session.ref()
    this.health ??= setInterval(() => this.ping(), PING_INTERVAL).unref()
  }

  /** Does not keep the process alive; closes after the idle timeout. */
  private rest(): void {
    if (this.streams > 0 || this.session.destroyed) return
    clearInterval(this.health)
    this.health = undefined
    clearTimeout(this.idle)
    this.idle = setTimeout(() => this.session.close(), this.idleTimeout).unref()
    this.session.unref()
    if (this.retired) this.session.close()
  }

  private ping(): void {
    const lost = () => this.session.destroy(new Error('http2: client connection lost'))
    const late = setTimeout(lost, PING_TIMEOUT).unref()
    this.session.ping(() => clearTimeout(late))
  }
}

const http2Headers = (headers: Exchange['headers']): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HTTP1_HEADERS.has(name)))

/** Omits pseudo-headers and turns each value into a list. */
function distinct(headers: IncomingHttpHeaders): Record<string, string[]> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string[]][] =>
    name.startsWith(':') || value === undefined ? [] : [[name, [value].flat()]],
  )
  return Object.fromEntries(entries)
}
