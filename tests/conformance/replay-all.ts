/** Replays files of recordings against fresh in-process servers, spread over the processor's cores. */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { SimulatedClock, seededRandom } from '../../src/engine/environment'
// The engine fetches the texts of its OpenAPI documents when first asked; fetched beforehand, that takes no time of its own.
import '../../src/engine/facts/descriptions'
import { startEngine } from '../../src/hosts/node/engine'
import { parseFlags } from '../../src/hosts/node/flags'
import { inProcessSender, inProcessSleep } from './in-process'
import type { RecordingResult } from './known-differences'
import { COMMON_FLAGS, type Folder, type RecordingFile, readRecordings, recordingFiles } from './recording-files'
import { replay } from './replay'

/** When the recordings were made: the simulated clock starts there. */
const RECORDED_AT = Date.UTC(2026, 10, 21)

/** Replays the recordings of one file, one after another, on one server that has the file to itself. */
export async function replayFile(file: RecordingFile, filter: RegExp): Promise<RecordingResult[]> {
  const recordings = readRecordings(file).filter(({ name }) => filter.test(`${file.name}/${name}`))
  if (recordings.length === 0) return []
  const clock = new SimulatedClock(RECORDED_AT)
  const failures: string[] = []
  const engine = await startEngine(parseFlags([...COMMON_FLAGS, ...file.folder.flags]), {
    clock,
    random: seededRandom(1),
    log: { error: (message, cause) => failures.push(`${message}: ${cause instanceof Error ? cause.stack : String(cause)}`) },
  })
  const [send, sleep] = [inProcessSender(engine, clock), inProcessSleep(clock)]
  const results: RecordingResult[] = []
  for (const [i, recording] of recordings.entries()) {
    const steps = await replay(recording, send, { namespace: `replay-${String(i).padStart(6, 'x')}`, sleep })
    for (const failure of failures.splice(0)) steps.find((step) => step.status === 500 && step.level !== 'same')?.differences.push(failure)
    results.push({ file: `${file.folder.name}/${file.name}`, name: recording.name, steps })
  }
  await engine.close()
  return results
}

/**
 * @param filter matched against `file/recording`
 * @returns one result a recording, in order of folder, file and recording
 */
export async function replayAll({ folders, filter = /./ }: { folders: Folder[]; filter?: RegExp }): Promise<RecordingResult[]> {
  const files = folders.flatMap(recordingFiles)
  const results = new Map<RecordingFile, RecordingResult[]>()
  const waiting = [...files]
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), files.length) }, async () => {
      const worker = fork(fileURLToPath(import.meta.url), [WORKER], { serialization: 'advanced' })
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) results.set(file, await ask(worker, { file, filter }))
      worker.disconnect()
    }),
  )
  return files.flatMap((file) => results.get(file) ?? [])
}

/** The argument that makes a process of this file a worker. */
const WORKER = '--replay-worker'

interface Task {
  file: RecordingFile
  filter: RegExp
}

type Answer = { results: RecordingResult[] } | { failed: string }

function ask(worker: ChildProcess, task: Task): Promise<RecordingResult[]> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${task.file.name}: ${why}`))
    const ended = (code: number | null) => fail(`the worker ended with code ${code}`)
    worker.once('exit', ended)
    worker.once('message', (answer: Answer) => {
      worker.off('exit', ended)
      if ('failed' in answer) fail(answer.failed)
      else resolve(answer.results)
    })
    worker.send(task)
  })
}

if (process.argv[2] === WORKER) {
  process.on('message', ({ file, filter }: Task) => {
    const answer = (given: Answer) => process.send?.(given)
    replayFile(file, filter).then(
      (results) => answer({ results }),
      (error: unknown) => answer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
}
