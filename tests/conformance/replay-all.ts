/** Replays files of recordings against fresh in-process servers, spread over the processor's cores. */
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { SimulatedClock, seededRandom } from '../../src/engine/environment'
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
      const worker = new Worker(new URL(import.meta.url))
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) results.set(file, await ask(worker, file, filter))
      await worker.terminate()
    }),
  )
  return files.flatMap((file) => results.get(file) ?? [])
}

function ask(worker: Worker, file: RecordingFile, filter: RegExp): Promise<RecordingResult[]> {
  return new Promise((resolve, reject) => {
    const done = (run: () => void) => {
      worker.removeAllListeners()
      run()
    }
    worker.once('message', (answer: RecordingResult[] | { failed: string }) =>
      done(() => ('failed' in answer ? reject(new Error(`${file.name}: ${answer.failed}`)) : resolve(answer))),
    )
    worker.once('error', (error) => done(() => reject(error)))
    worker.postMessage({ file, filter })
  })
}

if (!isMainThread) {
  parentPort?.on('message', ({ file, filter }: { file: RecordingFile; filter: RegExp }) => {
    replayFile(file, filter).then(
      (results) => parentPort?.postMessage(results),
      (error: unknown) => parentPort?.postMessage({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
}
