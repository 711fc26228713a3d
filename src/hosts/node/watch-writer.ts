/**
 * Writes a stream of chunks (a watch) to one connection. Events of one turn of the loop leave in one write: with a hundred
 * watchers the system calls cost more than the events.
 */
import type { ServerResponse } from 'node:http'

/** Above this the reader does not keep up and the engine is told so. */
const HELD_BYTES_WANTED = 1024 * 1024
/** Above this the connection is cut, as a slow watcher must not fill the memory; it comes back and lists anew. */
const HELD_BYTES_AT_MOST = 32 * 1024 * 1024

export class WatchWriter {
  private pending: string | Uint8Array | undefined
  private scheduled = false
  private ended = false

  constructor(private readonly response: ServerResponse) {}

  /** @returns false when more is held back than wanted */
  write(chunk: string | Uint8Array): boolean {
    if (this.ended) return false
    this.pending = joined(this.pending, chunk)
    if (!this.scheduled) {
      this.scheduled = true
      setImmediate(this.flush)
    }
    return this.response.writableLength + this.pending.length < HELD_BYTES_WANTED
  }

  end(): void {
    if (this.ended) return
    this.flush()
    this.ended = true
    this.response.end()
  }

  private readonly flush = (): void => {
    this.scheduled = false
    const { pending } = this
    this.pending = undefined
    if (pending === undefined || this.ended || this.response.destroyed) return
    this.response.write(pending)
    if (this.response.writableLength > HELD_BYTES_AT_MOST) this.response.destroy()
  }
}

function joined(held: string | Uint8Array | undefined, chunk: string | Uint8Array): string | Uint8Array {
  if (held === undefined) return chunk
  if (typeof held === 'string' && typeof chunk === 'string') return held + chunk
  return Buffer.concat([bytes(held), bytes(chunk)])
}

const bytes = (chunk: string | Uint8Array): Uint8Array => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
