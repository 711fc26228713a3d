/** All direct connections of one port: which are kept how long without a request. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { DirectConnection, type DirectOptions } from './direct-connection'

export interface DirectConnectionsOptions extends Omit<DirectOptions, 'handOver' | 'gone'> {
  /** Milliseconds in which the first request has to begin. */
  head: number
  /** How often is looked, in milliseconds. */
  interval: number
}

export class DirectConnections {
  private readonly open = new Set<DirectConnection>()
  private readonly sweep: NodeJS.Timeout

  /**
   * Takes the new connections of a server, which gets those back whose requests are not of the usual form.
   * @param rejection what is said to who never asks
   */
  constructor(
    server: Server,
    private readonly options: DirectConnectionsOptions,
    private readonly refusal: string,
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

  /** Ends the connections that have nothing left to answer. */
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
      connection.close(connection.used ? undefined : this.refusal)
    }
  }
}
