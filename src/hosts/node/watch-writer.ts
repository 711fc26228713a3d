/**
 * Batches watch streams: with a hundred watchers, system calls cost more than events. Events
 * that follow closely are flushed together, and watchers of the same events share bytes.
 */
import type { Writable } from 'node:stream'
import type { Membership, SharedSink } from '../../engine/http/messages'

/**
 * The first event is flushed at once. Later ones are batched so that writing takes a fortieth of the
 * time, and wait at most one millisecond for each watcher, and 100 in all. Up to `few` watchers are flushed without delay, because
 * controllers depend on what they have seen.
 */
const FLUSH_INTERVAL = { timesWriting: 40, mostForEach: 1, most: 100, few: 16 }
/** Above this the engine is notified of a slow reader. */
export const BACKPRESSURE_BYTES = 1024 * 1024
/** Above this the connection is cut to bound memory. */
export const MAX_BUFFERED_BYTES = 32 * 1024 * 1024

type Chunk = string | Uint8Array

interface Waiting {
  /** The streams that it writes to. */
  readonly streams: number
  flush(): void
}

/** An HTTP/1.1 response with its socket and transfer coding, or an HTTP/2 stream. */
export interface WatchOutlet {
  readonly destroyed: boolean
  /** Bytes in its own buffer. */
  readonly writableLength: number
  write(content: Uint8Array): unknown
  end(): unknown
  destroy(): unknown
  readonly chunkedEncoding?: boolean
  readonly socket?: Pick<Writable, 'write' | 'writableLength'> | null
  on(event: 'close', run: () => void): unknown
  once(event: 'close', run: () => void): unknown
}

export class WatchFlushScheduler {
  private readonly waiting = new Set<Waiting>()
  private readonly groups = new Map<object, WriterGroup>()
  private gathering = false
  private last: { chunks: Chunk[]; framed: Buffer } | undefined
  private open = 0

  /** @param most open streams */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  hasRoom(): boolean {
    return this.open < this.most
  }

  /** Counts a stream until its connection or its response ends. */
  opened(ending: { once(event: 'close', run: () => void): unknown }): void {
    this.open++
    ending.once('close', () => this.open--)
  }

  /** The writers of the same events, identified by an object. */
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

  /** Flushes all writers; stops if nothing was written since the last flush. */
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

  /** Number of streams with pending chunks. */
  private streams(): number {
    let streams = 0
    for (const waiting of this.waiting) streams += waiting.streams
    return streams
  }

  /**
   * Flushes if at most `few` watchers wait: they see the request's events before its response, because
   * a controller with older state would get a conflict on its next write.
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

  /** One HTTP chunk (RFC 9112, section 7.1), cached for writers of the same chunks. */
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

/** Writers of the same events, which share a buffer. */
class WriterGroup implements SharedSink, Waiting {
  private readonly writers = new Set<WatchWriter>()
  private pending: Uint8Array[] = []
  private pendingLength = 0

  /** @param drop called when the last writer leaves */
  constructor(
    private readonly flushScheduler: WatchFlushScheduler,
    private readonly drop: () => void,
  ) {}

  get streams(): number {
    return this.writers.size
  }

  add(writer: WatchWriter): void {
    // Earlier chunks are not for this new writer.
    this.flush()
    this.writers.add(writer)
  }

  delete(writer: WatchWriter): void {
    this.flush()
    this.writers.delete(writer)
    if (this.writers.size === 0) this.drop()
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
  private group: WriterGroup | undefined
  private pending: Chunk[] = []
  private pendingLength = 0
  /** Buffered bytes at the last check, which costs more than buffering an event. */
  private held = 0
  private ended = false

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

  /** @returns false under backpressure */
  write(chunk: Chunk): boolean {
    if (this.ended || this.response.destroyed) return false
    if (this.group) {
      // Keeps the order of the group's chunks and this writer's.
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

  /** Writes chunks immediately. */
  deliver(chunks: Chunk[]): void {
    const { response } = this
    if (this.ended || response.destroyed) return
    // Node.js's chunked coding makes four writes per chunk; this is one.
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
