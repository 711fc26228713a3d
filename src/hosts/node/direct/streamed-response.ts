import type { Socket } from 'node:net'
import type { WatchOutlet } from '../watch-writer'

const LAST_CHUNK = '0\r\n\r\n'

/** A response of unknown length in chunked coding (RFC 9112, section 7.1). */
export class StreamedResponse implements WatchOutlet {
  readonly chunkedEncoding = true
  /** Only the socket buffers bytes. */
  readonly writableLength = 0
  private readonly onClosing: (() => void)[] = []
  private isClosed = false

  /** @param finished called once, when the connection may serve another request */
  constructor(
    readonly socket: Socket,
    private readonly finished: () => void,
  ) {
    socket.once('close', this.close)
  }

  get destroyed(): boolean {
    return this.isClosed || this.socket.destroyed
  }

  /** Writes bytes that already have chunked coding. */
  write(framed: Uint8Array): boolean {
    return this.socket.write(framed)
  }

  end(): void {
    if (this.destroyed) return
    this.socket.write(LAST_CHUNK, 'latin1')
    this.socket.off('close', this.close)
    this.close()
    this.finished()
  }

  destroy(): void {
    this.socket.destroy()
  }

  on(_event: 'close', run: () => void): void {
    this.onClosing.push(run)
  }

  once(event: 'close', run: () => void): void {
    this.on(event, run)
  }

  private readonly close = (): void => {
    if (this.isClosed) return
    this.isClosed = true
    for (const run of this.onClosing) run()
  }
}
