/**
 * Runs typical requests through a throwaway server in this process, so that the platform has compiled what requests run through
 * before clients come: the first thousands of requests cost several times as much as later ones, nearly all of it compiling
 * (docs/measurements.md). A throwaway server has a store and a token of its own, reaches nobody and writes nothing down;
 * nothing of it is seen or left.
 */
import { randomBytes } from 'node:crypto'
import type { ApiServer } from '../../../engine/server'
import { createMemoryStorage } from '../../../engine/storage/memory'
import { type Environment, startEngine } from '../engine'
import { type Flags, parseFlags } from '../flags'
import { guarded } from '../guard'
import { listen } from '../listener'
import { ClientActivity } from './client-activity'
import { type Connection, connect } from './connection'
import { round, SETUP, WATCHED, type WarmUpRequest } from './requests'

/** Few, so that a client who comes in the middle waits for a handful of answers at most. */
const CONNECTIONS = 4

/** Enough that what tells a watcher of a write runs as often as what writes. */
const WATCHERS = 20

/** Clients come and go: a connection serves so many rounds. */
const ROUNDS_A_CONNECTION = 5

/** Nobody asks what was: it is gone before the platform's collector takes it for something that stays. */
const HISTORY_MILLISECONDS = 10

/** What runs beside a server and watches what is written. */
export type ControllerFlags = Pick<Flags, 'controllers' | 'scheduler' | 'nodes'>

export interface WarmUpOptions {
  /** That of the real server: code that was compiled for other objects would have to be compiled again. */
  environment: Environment
  controllers: ControllerFlags
  /** How often the round of requests is run. */
  rounds: number
  /** Resolves when no client is being served: asked before every request. */
  quiet(): Promise<void>
}

/**
 * @returns how many requests were answered, by status
 * @throws the system's error if there is no port to be had
 */
export async function runWarmUp({
  environment,
  controllers,
  rounds,
  quiet,
}: WarmUpOptions): Promise<Map<number, number>> {
  const token = randomBytes(16).toString('hex')
  const answers = new Map<number, number>()
  const ask = async (connection: Connection, requests: readonly WarmUpRequest[]) => {
    for (const request of requests) {
      await quiet()
      const status = await connection.send(request)
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  const server = await begin(environment, controllers, token)
  // As the real server is listened for: what stands between it and the socket is compiled with it.
  const listener = await listen(new ClientActivity().observed(guarded(server.handle, [])), {
    port: 0,
    report: () => {},
  })
  const port = Number(new URL(listener.address).port)
  try {
    await work((number) => connect(port, token, number), rounds, ask)
  } finally {
    await listener.close()
    await server.close()
  }
  return answers
}

/** A server as the command line makes it that says nothing: an object made in another way would be of another form for the platform. */
function begin(
  environment: Environment,
  beside: ControllerFlags,
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
    ...beside,
  }
  return startEngine(flags, apart, `${token},exercise,exercise,"system:masters"\n`)
}

async function work(
  join: (number: number) => Promise<Connection>,
  rounds: number,
  ask: (connection: Connection, requests: readonly WarmUpRequest[]) => Promise<void>,
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
    await ask(first, SETUP)
    left(first)
    for (let watchers = 0; watchers < WATCHERS; watchers++) (await joined()).stream(WATCHED)
    let next = 0
    const inTurn = async () => {
      while (next < rounds) {
        const connection = await joined()
        for (let done = 0; done < ROUNDS_A_CONNECTION && next < rounds; done++)
          await ask(connection, round(next++))
        left(connection)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, inTurn))
  } finally {
    for (const connection of open) connection.close()
  }
}
