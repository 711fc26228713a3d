import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { DirectConnection, type DirectOptions } from './direct-connection'

export interface DirectConnectionsOptions extends Omit<DirectOptions, 'handOver' | 'gone'> {
  /** Milliseconds within which the first request must begin. */
  head: number
  /** Milliseconds between checks for idle connections. */
  interval: number
}

export class DirectConnections {
  private readonly open = new Set<DirectConnection>()
  private readonly sweep: NodeJS.Timeout

  /**
   * Takes over new connections of a server; those with uncommon requests go back to it.
   * @param rejection the response to a client that sends no request in time
   */
  constructor(
    server: Server,
    private readonly options: DirectConnectionsOptions,
    private readonly rejection: string,
  ) {
    const usual = server.listeners('connection')
    server.removeAllListeners('connection')
    const handOver = (socket: Socket) => {
      for (const listener of usual) listener.call(server, socket)
    }
    const gone = (connection: DirectConnection) => void this.open.delete(connection)
    server.on('connection', (socket: Socket) =>
      this.open.add(new DirectConnection(socket, { ...options, handOver, gone })),
    )
    this.sweep = setInterval(this.look, options.interval).unref()
  }

  closeIdle(): void {
    for (const connection of this.open) if (connection.isIdle()) connection.close()
  }

  close(): void {
    clearInterval(this.sweep)
  }

  private readonly look = (): void => {
    const { idle, head } = this.options
    const now = performance.now()
    for (const connection of this.open) {
      if (!connection.isIdle() || now - connection.lastUsed < (connection.used ? idle : head))
        continue
      connection.close(connection.used ? undefined : this.rejection)
    }
  }
}
