/**
 * Sends typical requests to a temporary server, so that V8 compiles the request path before clients
 * connect: the first thousands of requests cost several times as much (docs/measurements.md). The
 * temporary server has its own store and token, and opens no outbound connections and writes no
 * files.
 */
import { randomBytes } from 'node:crypto'
import type { ApiServer } from '../../../engine/server/server'
import { createMemoryStorage } from '../../../engine/storage/memory'
import { type Environment, startEngine } from '../engine'
import { type Flags, parseFlags } from '../flags'
import { guarded } from '../guard'
import { listen } from '../listener'
import { ClientActivity } from './client-activity'
import { type Connection, connect } from './connection'
import { round, SETUP, WATCHED, type WarmUpRequest } from './requests'

/** Few, so that a client waits for a few responses at most. */
const CONNECTIONS = 4

/** Enough that watch delivery runs as often as writes. */
const WATCHERS = 20

/** Real clients reconnect. */
const ROUNDS_A_CONNECTION = 5

/** Short, so that versions are compacted before V8 promotes them to the old generation. */
const HISTORY_MILLISECONDS = 10

/** Flags that decide which code requests run: the release, and controllers that watch writes. */
export type CompiledFlags = Pick<Flags, 'release' | 'controllers' | 'scheduler' | 'nodes'>

export interface WarmUpOptions {
  /** The real server's: V8 would recompile for other objects. */
  environment: Environment
  flags: CompiledFlags
  rounds: number
  /** Resolves when no client is served; awaited before every request. */
  quiet(): Promise<void>
}

/**
 * @returns the number of responses by status
 * @throws the system's error if no port is free
 */
export async function runWarmUp({
  environment,
  flags,
  rounds,
  quiet,
}: WarmUpOptions): Promise<Map<number, number>> {
  const token = randomBytes(16).toString('hex')
  const statuses = new Map<number, number>()
  const send = async (connection: Connection, requests: readonly WarmUpRequest[]) => {
    for (const request of requests) {
      await quiet()
      const status = await connection.send(request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const server = await begin(environment, flags, token)
  // The real server's listener, to compile its code too.
  const listener = await listen(new ClientActivity().observed(guarded(server.handle, [])), {
    port: 0,
    report: () => {},
  })
  const port = Number(new URL(listener.address).port)
  try {
    await work((number) => connect(port, token, number), rounds, send)
  } finally {
    await listener.close()
    await server.close()
  }
  return statuses
}

/** As the real one, without a log: V8 would recompile code for other shapes. */
function begin(
  environment: Environment,
  compiled: CompiledFlags,
  token: string,
): Promise<ApiServer> {
  const apart: Environment = {
    ...environment,
    log: { error: () => {} },
    storage: createMemoryStorage(),
  }
  const flags: Flags = {
    ...parseFlags([]),
    'etcd-compaction-interval': HISTORY_MILLISECONDS,
    ...compiled,
  }
  return startEngine(flags, apart, `${token},warm-up,warm-up,"system:masters"\n`)
}

async function work(
  join: (number: number) => Promise<Connection>,
  rounds: number,
  send: (connection: Connection, requests: readonly WarmUpRequest[]) => Promise<void>,
): Promise<void> {
  const open = new Set<Connection>()
  let clients = 0
  const joined = async () => {
    const connection = await join(clients++)
    open.add(connection)
    return connection
  }
  const left = (connection: Connection) => {
    open.delete(connection)
    connection.close()
  }
  try {
    const first = await joined()
    await send(first, SETUP)
    left(first)
    for (let watchers = 0; watchers < WATCHERS; watchers++) (await joined()).stream(WATCHED)
    let next = 0
    const inTurn = async () => {
      while (next < rounds) {
        const connection = await joined()
        for (let done = 0; done < ROUNDS_A_CONNECTION && next < rounds; done++)
          await send(connection, round(next++))
        left(connection)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, inTurn))
  } finally {
    for (const connection of open) connection.close()
  }
}
