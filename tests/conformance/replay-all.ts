/** Replays files of recordings against fresh in-process servers, spread over the processor's cores. */
import { type ChildProcess, fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
// The engine loads OpenAPI documents with the first request. Loading them beforehand excludes that
// time.
import '../../src/engine/generated/descriptions'
import { startEngine } from '../../src/hosts/node/engine'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { jwkOf } from '../../src/hosts/node/keys'
import { nodeSignatures } from '../../src/hosts/node/signatures'
import { companionOutbound, isCompanion } from './companions'
import { inProcessSender, inProcessSleep } from './in-process'
import type { RecordingResult } from './known-differences'
import {
  companionOf,
  type Folder,
  flagsOf,
  folderPath,
  type RecordingFile,
  readRecordings,
  recordedFiles,
  recordingFiles,
} from './recording-files'
import { replay, type Send } from './replay'
import { storeOfReplay } from './store'

/** Making a key takes real time, in which the simulated clock would run away: made beforehand, one for all servers. */
const SIGNING_KEY = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

/** When the recordings were made: the simulated clock starts there. */
const RECORDED_AT = Date.UTC(2026, 10, 21)

/** Recordings that wait for a part of the engine that does not exist yet. */
export interface NotRun {
  /** `recordings-flags/access-abac` */
  file: string
  exchanges: number
  why: string
}

export interface Replayed {
  results: RecordingResult[]
  notRun: NotRun[]
}

/** Replays the recordings of one file, those made with the same flags one after another on one server. */
async function replayFile(file: RecordingFile, filter: RegExp): Promise<Replayed> {
  const replayed: Replayed = { results: [], notRun: [] }
  const servers = new Map<string, TestServer | string>()
  const name = `${file.folder.name}/${file.name}`
  for (const [i, recording] of readRecordings(file).entries()) {
    if (!filter.test(`${file.name}/${recording.name}`)) continue
    const companion = companionOf(recording)
    const known = companion !== undefined && isCompanion(companion) ? companion : undefined
    const server = await serverFor(flagsOf(file, recording), file.folder, known, servers)
    const alone = companion !== known && `${companion} must run next to the server`
    const why = typeof server === 'string' ? server : alone || undefined
    if (typeof server === 'string' || why !== undefined) {
      replayed.notRun.push({ file: name, exchanges: recording.steps.length, why: why ?? '' })
      continue
    }
    const steps = await replay(recording, server.send, {
      namespace: `replay-${String(i).padStart(6, 'x')}`,
      sleep: server.sleep,
    })
    for (const failure of server.failures.splice(0)) {
      steps.find((step) => step.status === 500 && step.level !== 'same')?.differences.push(failure)
    }
    replayed.results.push({ file: name, name: recording.name, steps })
  }
  for (const server of servers.values()) if (typeof server !== 'string') await server.close()
  return replayed
}

interface TestServer {
  send: Send
  sleep(milliseconds: number): Promise<void>
  /** What the engine reported as its own failures since it was last looked at. */
  failures: string[]
  close(): Promise<void>
}

/** The running server of these flags, or why there is none: a flag that this engine does not obey. */
async function serverFor(
  flags: string[],
  folder: Folder,
  companion: string | undefined,
  servers: Map<string, TestServer | string>,
): Promise<TestServer | string> {
  const key = flags.join(' ')
  const known = servers.get(key)
  if (known !== undefined) return known
  const server = await startTestServer(flags, folder, companion).catch((error: unknown) => {
    if (error instanceof FlagError) return error.message
    throw error
  })
  servers.set(key, server)
  return server
}

/** @param companion a webhook in the folder, which runs next to the server */
async function startTestServer(
  flags: string[],
  folder: Folder,
  companion: string | undefined,
): Promise<TestServer> {
  const clock = new SimulatedClock(RECORDED_AT)
  const failures: string[] = []
  const { storage, settle } = await storeOfReplay((message) => failures.push(message))
  const engine = await startEngine(parseFlags(flags), {
    storage,
    clock,
    random: seededRandom(1),
    files: recordedFiles(folder),
    outbound: await companionOutbound(companion && join(folderPath(folder), companion), clock),
    signatures: { ...nodeSignatures, generateKey: async () => ({ ...SIGNING_KEY }) },
    log: {
      error: (message, cause) =>
        failures.push(`${message}: ${cause instanceof Error ? cause.stack : String(cause)}`),
    },
  })
  const server = {
    send: inProcessSender(engine, clock, settle),
    sleep: inProcessSleep(clock, settle),
    failures,
    close: () => engine.close(),
  }
  // The recorded server had run for a while: controllers start with the first response.
  await server.send({ method: 'GET', path: '/readyz', headers: {} })
  return server
}

/**
 * @param filter matched against `file/recording`
 * @param release whose recordings and server these are; the one that most are of if absent
 * @returns one result a recording, in order of folder, file and recording
 */
export async function replayAll({
  folders,
  filter = /./,
  release,
}: {
  folders: Folder[]
  filter?: RegExp
  release?: string | undefined
}): Promise<Replayed> {
  const files = folders.flatMap((folder) => recordingFiles(folder, release))
  const replayed = new Map<RecordingFile, Replayed>()
  const waiting = [...files]
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), files.length) }, async () => {
      const worker = fork(fileURLToPath(import.meta.url), [WORKER], { serialization: 'advanced' })
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
        replayed.set(file, await sendRequest(worker, { file, filter }))
      worker.disconnect()
    }),
  )
  const inOrder = files.flatMap((file) => replayed.get(file) ?? [])
  return {
    results: inOrder.flatMap(({ results }) => results),
    notRun: inOrder.flatMap(({ notRun }) => notRun),
  }
}

/** The argument that makes a process of this file a worker. */
const WORKER = '--replay-worker'

interface Task {
  file: RecordingFile
  filter: RegExp
}

type TestResponse = Replayed | { failed: string }

function sendRequest(worker: ChildProcess, task: Task): Promise<Replayed> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${task.file.name}: ${why}`))
    const ended = (code: number | null) => fail(`the worker ended with code ${code}`)
    worker.once('exit', ended)
    worker.once('message', (response: TestResponse) => {
      worker.off('exit', ended)
      if ('failed' in response) fail(response.failed)
      else resolve(response)
    })
    worker.send(task)
  })
}

if (process.argv[2] === WORKER) {
  process.on('message', ({ file, filter }: Task) => {
    const response = (given: TestResponse) => process.send?.(given)
    replayFile(file, filter).then(response, (error: unknown) =>
      response({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
}
