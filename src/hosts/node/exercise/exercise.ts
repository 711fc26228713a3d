/**
 * Runs typical requests through a throwaway server in this process, so that the platform has compiled what requests run through
 * before clients come: the first thousands of requests cost several times as much as later ones, nearly all of it compiling
 * (docs/measurements.md). The throwaway server has a store and a token of its own, reaches nobody and writes nothing down;
 * nothing of it is seen or left.
 */
import { randomBytes } from 'node:crypto'
import { type ApiServerOptions, createApiServer } from '../../../engine/server'
import { createMemoryStorage } from '../../../engine/storage/memory'
import { compress, type Environment } from '../engine'
import { systemFiles } from '../files'
import { listen } from '../listener'
import { nodeSignatures } from '../signatures'
import { type Connection, connect } from './connection'
import { BEFORE, round, type Sent, WATCHED } from './requests'

/** Few, so that a client who comes in the middle waits for a handful of answers at most. */
const CONNECTIONS = 4

/** Enough that what tells a watcher of a write runs as often as what writes. */
const WATCHERS = 20

export interface Exercise {
  /** That of the real server: code that was compiled for other objects would have to be compiled again. */
  environment: Environment
  /** What runs beside the real server and watches what is written, for the same reason. */
  beside: Pick<ApiServerOptions, 'controllers' | 'scheduler' | 'nodes'>
  /** How often the round of requests is run. */
  rounds: number
  /** Resolves when no client is being served: asked before every request. */
  quiet(): Promise<void>
}

/**
 * @returns how many requests were answered, by status
 * @throws the system's error if there is no port to be had
 */
export async function exercise({ environment, beside, rounds, quiet }: Exercise): Promise<Map<number, number>> {
  const token = randomBytes(16).toString('hex')
  const server = createApiServer({
    signatures: nodeSignatures,
    files: systemFiles,
    ...environment,
    ...beside,
    log: { error: () => {} },
    storage: createMemoryStorage(),
    tokens: `${token},exercise,exercise,"system:masters"\n`,
    anonymousAuth: false,
    compress,
  })
  const listener = await listen(server.handle, { port: 0, report: () => {} })
  const port = Number(new URL(listener.address).port)
  const watching = await Promise.all(Array.from({ length: WATCHERS }, () => connect(port, token)))
  const working = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(port, token)))
  const answers = new Map<number, number>()
  try {
    const run = async (connection: Connection, requests: readonly Sent[]) => {
      for (const request of requests) {
        await quiet()
        const status = await connection.send(request)
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
    }
    await run(working[0] as Connection, BEFORE)
    for (const connection of watching) connection.stream(WATCHED)
    let next = 0
    await Promise.all(
      working.map(async (connection) => {
        while (next < rounds) await run(connection, round(next++))
      }),
    )
  } finally {
    for (const connection of [...watching, ...working]) connection.close()
    await listener.close()
    await server.close()
  }
  return answers
}
