/** Kept HTTP/1.1 connections (RFC 9112, section 9.3). */
import {
  type ClientRequest,
  Agent as PlainAgent,
  type RequestOptions,
  request as requestPlain,
} from 'node:http'
import { type AgentOptions, request as requestSecure, Agent as SecureAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { entryOf } from '../../engine/core/object'
import {
  type Cancellation,
  type Exchange,
  type Reply,
  StaleConnection,
  type Target,
} from './outbound-exchange'

export interface Http1Limits {
  /** Milliseconds. */
  idleTimeout: number
  idlePerTarget: number
  openPerTarget: number
}

type Options = RequestOptions & AgentOptions & { negotiated?: TLSSocket; target: string }

/** Milliseconds after use in which a connection is not checked again. */
const RECENT = 1000
/** Methods that Go's `Request.isReplayable` names. */
const REPLAYABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Node's own connection names contain whole certificates, and are computed several times a request.
 */
const named = <Agent extends PlainAgent>(agent: Agent): Agent =>
  Object.assign(agent, { getName: (options?: Partial<Options>) => options?.target ?? '' })

/** @returns an agent for connections on which ALPN selected HTTP/1.1 */
function negotiatingAgent(options: AgentOptions): SecureAgent {
  const agent = named(new SecureAgent(options))
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (connectOptions: Options, done) => {
    const { negotiated } = connectOptions
    return negotiated === undefined || negotiated.destroyed
      ? connect(connectOptions, done)
      : negotiated
  }
  return agent
}

export class Http1Pool {
  private readonly plain: PlainAgent
  private readonly secure: SecureAgent
  private readonly lastUse = new WeakMap<object, number>()

  constructor({ idleTimeout, idlePerTarget, openPerTarget }: Http1Limits) {
    const options = {
      keepAlive: true,
      timeout: idleTimeout,
      maxFreeSockets: idlePerTarget,
      maxSockets: openPerTarget,
    }
    this.plain = named(new PlainAgent(options))
    this.secure = negotiatingAgent(options)
    for (const agent of [this.plain, this.secure])
      agent.on('free', (socket: object) => this.lastUse.set(socket, performance.now()))
  }

  /**
   * @param negotiated a new connection, used unless a kept one is free
   * @throws StaleConnection, the network's error
   */
  async request(
    target: Target,
    exchange: Exchange,
    cancellation: Cancellation,
    negotiated?: TLSSocket,
  ): Promise<Reply> {
    const options = optionsOf(target)
    const agent = this.agentOf(target)
    if (this.mayHaveBeenClosed(agent, target.name)) await polled()
    const { method, path, headers, body } = exchange
    const start = target.secure ? requestSecure : requestPlain
    const request = start({
      ...options,
      agent,
      method,
      path,
      headers,
      ...(negotiated ? { negotiated } : {}),
    } as Options)
    return replyOf(request, exchange, cancellation, body)
  }

  close(): void {
    this.plain.destroy()
    this.secure.destroy()
  }

  private agentOf({ secure }: Target): PlainAgent {
    return secure ? this.secure : this.plain
  }

  /** Node's agent selects the connection that was used last. */
  private mayHaveBeenClosed(agent: PlainAgent, name: string): boolean {
    const next = entryOf(agent.freeSockets, name)?.at(-1)
    return next !== undefined && performance.now() - (this.lastUse.get(next) ?? 0) > RECENT
  }
}

const optionsOf = ({ name, secure, host, port, servername, tls }: Target): Options => ({
  target: name,
  host,
  port,
  ...(secure ? { ...tls, servername, ALPNProtocols: ['http/1.1'] } : {}),
})

/**
 * Waits until Node.js has read pending bytes, so that closed connections have left the pool; Go
 * reads in the background. The second turn of the event loop is the first that surely polls.
 */
const polled = (): Promise<void> =>
  new Promise((resolve) => void setImmediate(() => setImmediate(resolve)))

function replyOf(
  request: ClientRequest,
  { method }: Exchange,
  cancellation: Cancellation,
  body: string | Uint8Array | undefined,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let connection: Pick<Socket, 'bytesRead' | 'bytesWritten'> | undefined
    let before = { read: 0, written: 0 }
    request.on('socket', (socket) => {
      connection = socket
      before = { read: socket.bytesRead, written: socket.bytesWritten }
    })
    request.on('error', (error) => {
      const silent = connection !== undefined && connection.bytesRead === before.read
      const unsent = connection?.bytesWritten === before.written
      const retriable =
        request.reusedSocket &&
        silent &&
        (unsent || REPLAYABLE.has(method)) &&
        !cancellation.canceled
      reject(retriable ? new StaleConnection(error) : error)
    })
    request.on('response', (response) => {
      const headers = response.headersDistinct as Record<string, string[]>
      resolve({ status: response.statusCode ?? 0, headers, body: response })
    })
    cancellation.endBy(() => request.destroy())
    request.end(body)
  })
}
