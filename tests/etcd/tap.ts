/** A TCP proxy between a host and etcd that can add latency or drop responses. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Tap {
  private readonly sockets = new Set<Socket>()
  private mute = false

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param lag milliseconds that each response is delayed */
  static open(target: string, lag = 0): Promise<Tap> {
    const { port } = new URL(target)
    return new Promise((resolve) => {
      const server = createServer((near) => {
        const far = connect(Number(port), '127.0.0.1')
        for (const socket of [near, far]) {
          tap.sockets.add(socket)
          socket.on('error', () => undefined)
          socket.on('close', () => {
            tap.sockets.delete(socket)
            near.destroy()
            far.destroy()
          })
        }
        near.on('data', (bytes) => far.write(bytes))
        far.on('data', (bytes) => {
          if (tap.mute) return
          if (lag === 0) near.write(bytes)
          else setTimeout(() => near.write(bytes), lag)
        })
      })
      let tap: Tap
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        tap = new Tap(
          server,
          `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
        )
        resolve(tap)
      })
    })
  }

  /** Forwards requests and drops responses. */
  loseResponses(): void {
    this.mute = true
  }

  /** Closes all connections. New ones work. */
  cut(): void {
    this.mute = false
    for (const socket of this.sockets) socket.destroy()
  }

  close(): void {
    this.server.close()
    this.cut()
  }
}
