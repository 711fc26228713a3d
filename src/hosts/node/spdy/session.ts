/**
 * The server's side of SPDY/3.1, as in the package spdystream: clients open streams, pings get a
 * response, no flow control.
 */
import {
  CONTROL,
  controlFrame,
  dataFrames,
  FLAG,
  FrameError,
  FrameReader,
  GOODBYE,
  numbers,
  RESET,
} from './frames'
import { HeaderBlockError, HeaderReader, type Headers, HeaderWriter } from './header-blocks'

/** A socket or a WebSocket. */
export interface Wire {
  write(bytes: Buffer): void
  /** Closes the transport after buffered bytes are sent. */
  end(): void
}

/** Receives the events of one stream. */
export interface StreamListener {
  /** The client has the reply that opens the stream. */
  opened(): void
  receive(bytes: Buffer): void
  /** The client sends no more on this stream. */
  ended(): void
  /** Reset or disconnected. */
  closed(): void
}

/** @returns undefined to reject the stream */
export type Accept = (stream: SpdyStream) => StreamListener | undefined

/** A forwarded connection uses two streams. */
const MOST_STREAMS = 1000
/** Time for the client to read the rest and close after GOAWAY. */
const CLOSE_TIMEOUT_MS = 5000

export class SpdyStream {
  private sends = true

  constructor(
    private readonly session: SpdySession,
    readonly id: number,
    readonly headers: Headers,
  ) {}

  send(content: string | Uint8Array): void {
    if (this.sends && content.length > 0)
      this.session.write(dataFrames(this.id, Buffer.from(content), false))
  }

  /** Ends the sending direction. */
  end(): void {
    if (!this.sends) return
    this.sends = false
    this.session.write(dataFrames(this.id, Buffer.alloc(0), true))
    this.session.halfClosed(this.id)
  }

  /** Stops sending on a stream that the client does not read. */
  mute(): void {
    this.sends = false
  }
}

interface Open {
  stream: SpdyStream
  listener: StreamListener
  /** Directions that are still open. */
  directions: number
  clientSends: boolean
}

export class SpdySession {
  private readonly frames = new FrameReader({
    control: (type, flags, payload) => this.control(type, flags, payload),
    data: (stream, bytes, last) => this.data(stream, bytes, last),
  })
  private readonly reader = new HeaderReader()
  private readonly writer = new HeaderWriter()
  private readonly streams = new Map<number, Open>()
  private lastStream = 0
  /** No further streams are accepted. */
  private leaving = false
  private over = false
  private closeTimer: NodeJS.Timeout | undefined

  constructor(
    private readonly wire: Wire,
    private readonly accept: Accept,
    /** Called once, when the connection is over. */
    private readonly ended: () => void,
  ) {}

  take(bytes: Buffer): void {
    if (this.over) return
    try {
      this.frames.take(bytes)
    } catch (error) {
      if (!(error instanceof FrameError || error instanceof HeaderBlockError)) throw error
      this.write(controlFrame(CONTROL.goAway, 0, numbers(this.lastStream, GOODBYE.protocolError)))
      this.finish()
    }
  }

  write(bytes: Buffer): void {
    if (!this.over) this.wire.write(bytes)
  }

  /** Accepts no further streams; the client closes the connection, or a timeout does. */
  leave(): void {
    if (this.leaving) return
    this.leaving = true
    this.write(controlFrame(CONTROL.goAway, 0, numbers(this.lastStream, GOODBYE.ok)))
    this.closeTimer = setTimeout(() => this.finish(), CLOSE_TIMEOUT_MS)
  }

  /** The client has disconnected. */
  closed(): void {
    if (this.over) return
    this.over = true
    clearTimeout(this.closeTimer)
    for (const { listener } of this.streams.values()) listener.closed()
    this.streams.clear()
    this.ended()
  }

  /** One direction of a stream has ended. */
  halfClosed(id: number): void {
    const open = this.streams.get(id)
    if (open === undefined || --open.directions > 0) return
    this.streams.delete(id)
    if (this.leaving && this.streams.size === 0) this.finish()
  }

  private finish(): void {
    if (this.over) return
    this.wire.end()
    this.closed()
  }

  private control(type: number, flags: number, payload: Buffer): void {
    if (this.over) return
    if (type === CONTROL.synStream) this.begin(flags, payload)
    // Ignored, but parsed: they are in the compression context of later blocks.
    else if (type === CONTROL.headers || type === CONTROL.synReply)
      this.reader.read(payload.subarray(lengthOf(payload, 4)))
    else if (type === CONTROL.ping) this.ping(payload)
    else if (type === CONTROL.rstStream) this.reset(payload.readUInt32BE(lengthOf(payload, 8) - 8))
    else if (type === CONTROL.goAway) this.clientLeaves()
  }

  private begin(flags: number, payload: Buffer): void {
    const headers = this.reader.read(payload.subarray(lengthOf(payload, 10)))
    const id = payload.readUInt32BE(0) & 0x7fffffff
    if (this.leaving) return
    const stream = new SpdyStream(this, id, headers)
    const listener = this.listenerOf(stream)
    if (typeof listener === 'number') {
      this.write(controlFrame(CONTROL.rstStream, 0, numbers(id, listener)))
      return
    }
    const open = { stream, listener, directions: 2, clientSends: true }
    this.streams.set(id, open)
    this.write(controlFrame(CONTROL.synReply, 0, numbers(id), this.writer.write(new Map())))
    if (flags & FLAG.unidirectional) {
      stream.mute()
      this.halfClosed(id)
    }
    listener.opened()
    if (flags & FLAG.fin) this.clientEnds(open)
  }

  /** @returns a listener, or the status code of a rejection */
  private listenerOf(stream: SpdyStream): StreamListener | number {
    // Client stream ids are odd and increase.
    if (stream.id % 2 === 0 || stream.id <= this.lastStream) return RESET.protocolError
    this.lastStream = stream.id
    if (this.streams.size >= MOST_STREAMS) return RESET.refusedStream
    return this.accept(stream) ?? RESET.cancel
  }

  private ping(payload: Buffer): void {
    // Even ids are responses to the server's pings.
    if (payload.readUInt32BE(lengthOf(payload, 4) - 4) % 2 === 1)
      this.write(controlFrame(CONTROL.ping, 0, payload.subarray(0, 4)))
  }

  private reset(id: number): void {
    const open = this.streams.get(id & 0x7fffffff)
    if (open === undefined) return
    open.stream.mute()
    open.directions = 1
    open.clientSends = false
    open.listener.closed()
    this.halfClosed(open.stream.id)
  }

  private clientLeaves(): void {
    this.leaving = true
    if (this.streams.size === 0) this.finish()
  }

  private data(id: number, bytes: Buffer, last: boolean): void {
    // Data of a closed stream may still be in flight.
    const open = this.streams.get(id)
    if (this.over || open === undefined || !open.clientSends) return
    if (bytes.length > 0) open.listener.receive(bytes)
    if (last) this.clientEnds(open)
  }

  private clientEnds(open: Open): void {
    open.clientSends = false
    open.listener.ended()
    this.halfClosed(open.stream.id)
  }
}

/**
 * @returns `least`
 * @throws FrameError for a shorter frame
 */
function lengthOf(payload: Buffer, least: number): number {
  if (payload.length < least) throw new FrameError('a control frame ends early')
  return least
}
