/**
 * Serves common requests without Node.js's HTTP server, whose objects cost a third of a bare
 * exchange (docs/measurements.md). The first uncommon request (`request-head.ts`) moves the
 * connection to Node.js's server for good.
 */
import type { Socket } from 'node:net'
import {
  type ApiRequest,
  type ApiResponse,
  type BodyStream,
  isStream,
} from '../../../engine/http/messages'
import { discardBody, failed, type Handle, streamBody, tooManyStreams } from '../adapter'
import type { TickBatcher } from '../tick-batcher'
import type { WatchFlushScheduler } from '../watch-writer'
import { type Headers, RequestReader, type WholeRequest } from './request-head'
import { headOf } from './response-head'
import { StreamedResponse } from './streamed-response'

export interface DirectOptions {
  handle: Handle
  batcher: TickBatcher
  flushScheduler: WatchFlushScheduler
  /** Keep-alive timeout in milliseconds, sent to the client. */
  idle: number
  report(message: string, cause: unknown): void
  /** Passes on the connection, with unparsed bytes put back. */
  handOver(socket: Socket): void
  /** Called once, when the connection has ended or was handed over. */
  gone(connection: DirectConnection): void
}

/** Bytes read ahead of a response before reading pauses. */
const READ_AHEAD_BYTES = 64 * 1024

/**
 * Below this, one joined write is cheaper than two buffers. ASCII (as many bytes as characters) is
 * written faster as Latin-1 than as UTF-8.
 */
const LARGE = 16 * 1024

export class DirectConnection {
  private readonly reader = new RequestReader()
  private readonly lines: string
  private readonly ahead: Buffer[] = []
  private aheadBytes = 0
  private responding: DirectRequest | undefined
  used = false
  /** In milliseconds; at first the time of the connection. */
  lastUsed = performance.now()

  constructor(
    private readonly socket: Socket,
    private readonly options: DirectOptions,
  ) {
    this.lines = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(options.idle / 1000)}\r\n`
    socket.on('data', this.read)
    socket.on('end', this.end)
    socket.on('error', this.fail)
    socket.on('close', this.closed)
  }

  isIdle(): boolean {
    return this.responding === undefined
  }

  /** Closes the connection after an optional last response, without waiting for the client. */
  close(word?: string): void {
    if (word !== undefined) this.socket.write(word)
    this.socket.destroySoon()
  }

  private readonly end = (): void => {
    this.socket.end()
  }

  private readonly fail = (): void => {
    this.socket.destroy()
  }

  private readonly closed = (): void => {
    const { responding } = this
    this.responding = undefined
    this.options.gone(this)
    responding?.close()
  }

  private readonly read = (chunk: Buffer): void => {
    if (this.responding !== undefined) {
      this.ahead.push(chunk)
      this.aheadBytes += chunk.length
      if (this.aheadBytes > READ_AHEAD_BYTES) this.socket.pause()
      return
    }
    const request = this.reader.read(chunk)
    if (request === undefined) this.leave(chunk)
    else this.respond(request)
  }

  private leave(unread: Buffer): void {
    const { socket } = this
    socket
      .off('data', this.read)
      .off('end', this.end)
      .off('error', this.fail)
      .off('close', this.closed)
    this.options.gone(this)
    socket.pause()
    socket.unshift(unread)
    this.options.handOver(socket)
    socket.resume()
  }

  private respond(whole: WholeRequest): void {
    this.used = true
    const request = new DirectRequest(whole, this.socket)
    this.responding = request
    this.options.batcher.arrived(() => this.begin(request))
  }

  private begin(request: DirectRequest): void {
    const { handle, batcher, report } = this.options
    handle(request).then(
      (response) => batcher.ready(() => this.send(response, request)),
      (cause) => {
        if (this.responding !== request) return
        report(`${request.method} ${request.target}`, cause)
        this.send(failed(), request)
      },
    )
  }

  /** Errors must not reach other responses of the same batch. */
  private send(response: ApiResponse, request: DirectRequest): void {
    const { body = '' } = response
    if (this.responding !== request || this.socket.destroyed) {
      if (isStream(body)) discardBody(body)
      return
    }
    try {
      if (isStream(body)) this.stream(response, body, request)
      else this.write(response, body)
    } catch (cause) {
      this.options.report(`${request.method} ${request.target}`, cause)
      this.socket.destroy()
    }
  }

  private write(response: ApiResponse, body: string | Uint8Array): void {
    const { status } = response
    const isText = typeof body === 'string'
    const length = isText ? Buffer.byteLength(body) : body.byteLength
    const framing = status === 204 || status === 304 ? '' : `content-length: ${length}\r\n`
    const head = headOf(response, framing, this.lines)
    const isAscii = isText && length === body.length
    if (isAscii && length < LARGE) this.socket.write(head + body, 'latin1')
    else this.writeBytes(head, isText ? Buffer.from(body, isAscii ? 'latin1' : 'utf8') : body)
    this.finished()
  }

  private writeBytes(head: string, body: Uint8Array): void {
    const { socket } = this
    if (body.byteLength < LARGE) {
      const whole = Buffer.allocUnsafe(head.length + body.byteLength)
      whole.write(head, 'latin1')
      whole.set(body, head.length)
      socket.write(whole)
      return
    }
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body)
    socket.uncork()
  }

  private stream(response: ApiResponse, body: BodyStream, request: DirectRequest): void {
    const outlet = new StreamedResponse(this.socket, () => {
      if (this.responding === request) this.finished()
    })
    const begin = () =>
      void this.socket.write(
        headOf(response, 'Transfer-Encoding: chunked\r\n', this.lines),
        'latin1',
      )
    if (!streamBody(body, outlet, { flushScheduler: this.options.flushScheduler, begin }))
      this.send(tooManyStreams(), request)
  }

  /** After a response: reading continues when the client has received most of it. */
  private finished(): void {
    const { socket } = this
    this.responding = undefined
    this.lastUsed = performance.now()
    if (this.ahead.length > 0) this.leave(Buffer.concat(this.ahead))
    else if (socket.writableNeedDrain) {
      socket.pause()
      socket.once('drain', () => socket.resume())
    }
  }
}

class DirectRequest implements ApiRequest {
  readonly method: string
  readonly target: string
  private readonly headers: Headers
  private readonly bytes: Uint8Array
  private onClosing: (() => void)[] | undefined

  constructor(
    { method, target, headers, body }: WholeRequest,
    private readonly socket: Socket,
  ) {
    this.method = method
    this.target = target
    this.headers = headers
    this.bytes = body
  }

  header(name: string): string | undefined {
    return this.headers.get(name)
  }

  headerValues(name: string): string[] {
    const value = this.headers.get(name)
    return value === undefined ? [] : [value]
  }

  headerNames(): string[] {
    return [...this.headers.keys()]
  }

  body(): Promise<Uint8Array> {
    return Promise.resolve(this.bytes)
  }

  remoteAddress(): string | undefined {
    return this.socket.remoteAddress
  }

  onClose(run: () => void): void {
    this.onClosing ??= []
    this.onClosing.push(run)
  }

  close(): void {
    for (const run of this.onClosing ?? []) run()
  }
}
