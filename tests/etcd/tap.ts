/** A wire between a host and etcd that loses what one wants lost. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Tap {
  private readonly sockets = new Set<Socket>()
  private mute = false

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static open(target: string): Promise<Tap> {
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
          if (!tap.mute) near.write(bytes)
        })
      })
      let tap: Tap
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        tap = new Tap(server, `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
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
