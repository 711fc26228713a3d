/** A wire between a host and its etcd that is slow, silent, cut, or loses the responses of etcd. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Wire {
  /** Milliseconds that each piece of data takes, in both directions; their order stays. */
  delay = 0
  /** Requests arrive, responses do not. */
  deaf = false
  /** Connections are rejected. */
  closed = false
  private readonly pairs = new Set<Socket>()
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param etcd its URL */
  static start(etcd: string): Promise<Wire> {
    const port = Number(new URL(etcd).port)
    return new Promise((resolve, reject) => {
      const server = createServer((near) => {
        if (wire?.closed) return near.destroy()
        wire?.join(near, connect(port, '127.0.0.1'))
      })
      let wire: Wire | undefined
      server.on('error', reject)
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        wire = new Wire(
          server,
          `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
        )
        resolve(wire)
      })
    })
  }

  /** Ends every connection at once. */
  cut(): void {
    for (const socket of this.pairs) socket.destroy()
    this.deaf = false
  }

  close(): Promise<void> {
    this.cut()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  private join(near: Socket, far: Socket): void {
    this.carry(near, far, () => false)
    this.carry(far, near, () => this.deaf)
  }

  private carry(from: Socket, to: Socket, isLost: () => boolean): void {
    this.pairs.add(from)
    from.setNoDelay(true)
    from.on('error', () => {})
    const waiting: { piece: Buffer; due: number }[] = []
    const deliver = () => {
      for (let first = waiting[0]; first && !to.destroyed; first = waiting[0]) {
        const left = first.due - performance.now()
        // A timer may be early by a part of a millisecond.
        if (left > 0) return void setTimeout(deliver, left + 1)
        waiting.shift()
        to.write(first.piece)
      }
    }
    from.on('data', (piece) => {
      if (isLost()) return
      waiting.push({ piece, due: performance.now() + this.delay })
      if (waiting.length === 1) deliver()
    })
    from.on('close', () => {
      this.pairs.delete(from)
      to.destroy()
    })
  }
}
