/**
 * Writes streams of chunks (watches) to their connections. With a hundred watchers the system calls cost more than the events,
 * so events that follow each other closely leave together, and watchers that saw the same events share the bytes.
 */
import type { Writable } from 'node:stream'

/**
 * The first event leaves at once; those behind it gather for a while, so that writing takes a fortieth of the time: half as many writes
 * of twice the length cost a system half as much. But no longer than a millisecond for each watcher that is written to, and a few are
 * told at once: controllers decide by what they have seen, and see it as soon as a real server would have them.
 */
const GATHERING = { timesWriting: 40, mostForEach: 1, most: 100, few: 16 }
/** Above this the reader does not keep up and the engine is told so. */
export const HELD_BYTES_WANTED = 1024 * 1024
/** Above this the connection is cut whatever the engine does, as a slow reader must not fill the memory. */
export const HELD_BYTES_AT_MOST = 32 * 1024 * 1024

type Chunk = string | Uint8Array

/** An answer of HTTP/1.1, which tells its connection and how it is coded, or a stream of HTTP/2, which has all to itself. */
export interface WatchOutlet {
  readonly destroyed: boolean
  /** Bytes that it holds back itself. */
  readonly writableLength: number
  write(content: Uint8Array): unknown
  end(): unknown
  destroy(): unknown
  readonly chunkedEncoding?: boolean
  readonly socket?: Pick<Writable, 'write' | 'writableLength'> | null
  on(event: 'close', run: () => void): unknown
  once(event: 'close', run: () => void): unknown
}

/** Decides when the writers of one server write. */
export class WatchPulse {
  private readonly waiting = new Set<WatchWriter>()
  private gathering = false
  private last: { chunks: Chunk[]; framed: Buffer } | undefined
  private open = 0

  /** @param most streams that may be open at one time */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  hasRoom(): boolean {
    return this.open < this.most
  }

  /** Counts a stream until its connection or its answer ends. */
  opened(ending: { once(event: 'close', run: () => void): unknown }): void {
    this.open++
    ending.once('close', () => this.open--)
  }

  add(writer: WatchWriter): void {
    this.waiting.add(writer)
    if (this.gathering) return
    this.gathering = true
    setImmediate(this.beat)
  }

  /** Every writer's chunks; then time to gather, unless nothing came meanwhile. */
  private readonly beat = (): void => {
    this.gathering = this.waiting.size > 0
    if (!this.gathering) return
    const { size } = this.waiting
    const started = performance.now()
    this.flushAll()
    const wanted = (performance.now() - started) * GATHERING.timesWriting
    if (size <= GATHERING.few) setImmediate(this.beat)
    else setTimeout(this.beat, Math.min(wanted, GATHERING.most, size * GATHERING.mostForEach))
  }

  /**
   * To be called before an answer leaves. A few watchers are told first of what the request did, as of a real server: a controller that
   * goes on with what it saw before its own write would be refused the next.
   */
  beforeAnswer(): void {
    if (this.waiting.size > 0 && this.waiting.size <= GATHERING.few) this.flushAll()
  }

  private flushAll(): void {
    const writers = [...this.waiting]
    this.waiting.clear()
    for (const writer of writers) writer.flush()
    this.last = undefined
  }

  /** The chunks as one chunk of HTTP's chunked coding (RFC 9112, section 7.1): made once for writers with the same chunks. */
  framed(chunks: Chunk[]): Buffer {
    if (this.last === undefined || !sameChunks(this.last.chunks, chunks)) {
      const content = Buffer.concat(chunks.map(bytes))
      this.last = { chunks, framed: Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]) }
    }
    return this.last.framed
  }
}

export class WatchWriter {
  private pending: Chunk[] = []
  private pendingLength = 0
  /** Bytes that the connection had not taken yet when it was last asked, which takes longer than to note an event. */
  private held = 0
  private ended = false

  /** The response's head must be on its way already. */
  constructor(
    private readonly response: WatchOutlet,
    private readonly pulse: WatchPulse,
  ) {}

  /** @returns false when more is held back than wanted */
  write(chunk: Chunk): boolean {
    if (this.ended || this.response.destroyed) return false
    if (this.pending.length === 0) this.pulse.add(this)
    this.pending.push(chunk)
    this.pendingLength += chunk.length
    if (this.held + this.pendingLength < HELD_BYTES_WANTED) return true
    this.held = this.heldBytes()
    return this.held + this.pendingLength < HELD_BYTES_WANTED
  }

  end(): void {
    if (this.ended) return
    this.flush()
    this.ended = true
    this.response.end()
  }

  abort(): void {
    this.ended = true
    this.pending = []
    this.pendingLength = 0
    this.response.destroy()
  }

  flush(): void {
    const { pending, response } = this
    if (pending.length === 0) return
    this.pending = []
    this.pendingLength = 0
    if (this.ended || response.destroyed) return
    // The response's own chunked coding writes each chunk in four parts; the socket takes the same bytes in one.
    if (response.chunkedEncoding && response.socket) response.socket.write(this.pulse.framed(pending))
    else response.write(Buffer.concat(pending.map(bytes)))
    this.held = this.heldBytes()
    if (this.held > HELD_BYTES_AT_MOST) this.abort()
  }

  private heldBytes(): number {
    return this.response.writableLength + (this.response.socket?.writableLength ?? 0)
  }
}

const sameChunks = (a: Chunk[], b: Chunk[]) => a.length === b.length && a.every((chunk, i) => chunk === b[i])

const bytes = (chunk: Chunk): Uint8Array => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
