/**
 * Writes streams of chunks (watches) to their connections. With a hundred watchers the system calls cost more than the events,
 * so events that follow each other closely leave together, and watchers that saw the same events share the bytes.
 */
import type { Writable } from 'node:stream'
import type { Membership, SharedSink } from '../../engine/http/messages'

/**
 * The first event leaves at once; those behind it gather for a while, so that writing takes a fortieth of the time: half as many writes
 * of twice the length cost a system half as much. But no longer than a millisecond for each watcher that is written to, and a few are
 * told at once: controllers decide by what they have seen, and see it as soon as kube-apiserver would have them.
 */
const FLUSH_INTERVAL = { timesWriting: 40, mostForEach: 1, most: 100, few: 16 }
/** Above this the reader does not keep up and the engine is told so. */
export const BACKPRESSURE_BYTES = 1024 * 1024
/** Above this the connection is cut whatever the engine does, as a slow reader must not fill the memory. */
export const MAX_BUFFERED_BYTES = 32 * 1024 * 1024

type Chunk = string | Uint8Array

/** What the flushScheduler calls when it is time to write. */
interface Waiting {
  /** So many streams are written to. */
  readonly streams: number
  flush(): void
}

/** A response of HTTP/1.1, which tells its connection and how it is coded, or a stream of HTTP/2, which has all to itself. */
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
export class WatchFlushScheduler {
  private readonly waiting = new Set<Waiting>()
  private readonly groups = new Map<object, WriterGroup>()
  private gathering = false
  private last: { chunks: Chunk[]; framed: Buffer } | undefined
  private open = 0

  /** @param most streams that may be open at one time */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  hasRoom(): boolean {
    return this.open < this.most
  }

  /** Counts a stream until its connection or its response ends. */
  opened(ending: { once(event: 'close', run: () => void): unknown }): void {
    this.open++
    ending.once('close', () => this.open--)
  }

  /** Those who are told the same as others who joined under that object. */
  group(what: object): WriterGroup {
    let group = this.groups.get(what)
    if (group === undefined)
      this.groups.set(what, (group = new WriterGroup(this, () => this.groups.delete(what))))
    return group
  }

  add(waiting: Waiting): void {
    this.waiting.add(waiting)
    if (this.gathering) return
    this.gathering = true
    setImmediate(this.beat)
  }

  /** Every writer's chunks; then time to gather, unless nothing came meanwhile. */
  private readonly beat = (): void => {
    this.gathering = this.waiting.size > 0
    if (!this.gathering) return
    const streams = this.streams()
    const started = performance.now()
    this.flushAll()
    const wanted = (performance.now() - started) * FLUSH_INTERVAL.timesWriting
    if (streams <= FLUSH_INTERVAL.few) setImmediate(this.beat)
    else
      setTimeout(
        this.beat,
        Math.min(wanted, FLUSH_INTERVAL.most, streams * FLUSH_INTERVAL.mostForEach),
      )
  }

  /** How many streams wait to be written to. */
  private streams(): number {
    let streams = 0
    for (const waiting of this.waiting) streams += waiting.streams
    return streams
  }

  /**
   * To be called before a response leaves. A few watchers are told first of what the request did, as of kube-apiserver: a controller that
   * goes on with what it saw before its own write would be rejected the next.
   */
  flushBeforeResponse(): void {
    if (
      this.waiting.size > 0 &&
      this.waiting.size <= FLUSH_INTERVAL.few &&
      this.streams() <= FLUSH_INTERVAL.few
    )
      this.flushAll()
  }

  private flushAll(): void {
    const all = [...this.waiting]
    this.waiting.clear()
    for (const waiting of all) waiting.flush()
    this.last = undefined
  }

  /** The chunks as one chunk of HTTP's chunked coding (RFC 9112, section 7.1): made once for writers with the same chunks. */
  framed(chunks: Chunk[]): Buffer {
    if (this.last === undefined || !sameChunks(this.last.chunks, chunks)) {
      const content = Buffer.concat(chunks.map(bytes))
      this.last = {
        chunks,
        framed: Buffer.concat([
          Buffer.from(`${content.length.toString(16)}\r\n`),
          content,
          Buffer.from('\r\n'),
        ]),
      }
    }
    return this.last.framed
  }
}

/** Writers that are told the same: chunks wait here once for all of them. */
class WriterGroup implements SharedSink, Waiting {
  private readonly writers = new Set<WatchWriter>()
  private pending: Uint8Array[] = []
  private pendingLength = 0

  /** @param discard called when no one is left */
  constructor(
    private readonly flushScheduler: WatchFlushScheduler,
    private readonly forget: () => void,
  ) {}

  get streams(): number {
    return this.writers.size
  }

  add(writer: WatchWriter): void {
    // What waits is not for who comes later.
    this.flush()
    this.writers.add(writer)
  }

  delete(writer: WatchWriter): void {
    this.flush()
    this.writers.delete(writer)
    if (this.writers.size === 0) this.forget()
  }

  write(chunk: Uint8Array): void {
    if (this.pending.length === 0) this.flushScheduler.add(this)
    this.pending.push(chunk)
    this.pendingLength += chunk.length
    if (this.pendingLength > BACKPRESSURE_BYTES) this.flush()
  }

  flush(): void {
    const { pending } = this
    if (pending.length === 0) return
    this.pending = []
    this.pendingLength = 0
    for (const writer of this.writers) writer.deliver(pending)
  }
}

export class WatchWriter implements Waiting {
  readonly streams = 1
  /** What it has joined. */
  private group: WriterGroup | undefined
  private pending: Chunk[] = []
  private pendingLength = 0
  /** Bytes that the connection had not taken yet when it was last asked, which takes longer than to note an event. */
  private held = 0
  private ended = false

  /** The response's head must be on its way already. */
  constructor(
    private readonly response: WatchOutlet,
    private readonly flushScheduler: WatchFlushScheduler,
  ) {}

  join(what: object): Membership {
    this.flush()
    const group = this.flushScheduler.group(what)
    group.add(this)
    this.group = group
    return { shared: group, leave: () => this.leave() }
  }

  private leave(): void {
    const { group } = this
    this.group = undefined
    group?.delete(this)
  }

  /** @returns false when more is held back than wanted */
  write(chunk: Chunk): boolean {
    if (this.ended || this.response.destroyed) return false
    if (this.group) {
      // What the group was told before comes before, and what it is told next behind.
      this.group.flush()
      this.deliver([chunk])
      return this.held < BACKPRESSURE_BYTES
    }
    if (this.pending.length === 0) this.flushScheduler.add(this)
    this.pending.push(chunk)
    this.pendingLength += chunk.length
    if (this.held + this.pendingLength < BACKPRESSURE_BYTES) return true
    this.held = this.heldBytes()
    return this.held + this.pendingLength < BACKPRESSURE_BYTES
  }

  end(): void {
    if (this.ended) return
    this.leave()
    this.flush()
    this.ended = true
    this.response.end()
  }

  abort(): void {
    this.ended = true
    this.leave()
    this.pending = []
    this.pendingLength = 0
    this.response.destroy()
  }

  flush(): void {
    const { pending } = this
    if (pending.length === 0) return
    this.pending = []
    this.pendingLength = 0
    this.deliver(pending)
  }

  /** Writes chunks now. */
  deliver(chunks: Chunk[]): void {
    const { response } = this
    if (this.ended || response.destroyed) return
    // The response's own chunked coding writes each chunk in four parts; the socket takes the same bytes in one.
    if (response.chunkedEncoding && response.socket)
      response.socket.write(this.flushScheduler.framed(chunks))
    else response.write(Buffer.concat(chunks.map(bytes)))
    this.held = this.heldBytes()
    if (this.held > MAX_BUFFERED_BYTES) this.abort()
  }

  private heldBytes(): number {
    return this.response.writableLength + (this.response.socket?.writableLength ?? 0)
  }
}

const sameChunks = (a: Chunk[], b: Chunk[]) =>
  a === b || (a.length === b.length && a.every((chunk, i) => chunk === b[i]))

const bytes = (chunk: Chunk): Uint8Array => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
