/** A wire between a host and etcd that is long, or loses what one wants lost. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Tap {
  private readonly sockets = new Set<Socket>()
  private mute = false

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param lag milliseconds that answers take */
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

  /** Questions go through, answers do not. */
  loseAnswers(): void {
    this.mute = true
  }

  /** Ends every connection; new ones work. */
  cut(): void {
    this.mute = false
    for (const socket of this.sockets) socket.destroy()
  }

  close(): void {
    this.server.close()
    this.cut()
  }
}
