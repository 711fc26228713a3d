/** A server of its own for each sequence of requests, and how one request is sent to it and its response read. */
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'
import type { FuzzRequest } from './corpus'

const ADMIN = 'Bearer admin-token'
const TOKENS = 'admin-token,admin,,"system:masters"\nalice-token,alice,,\n'

export interface TestResponse {
  status: number
  headers: Headers
  body: Uint8Array
  /** The response was a stream that did not end by itself. */
  cut: boolean
}

export interface FuzzedServer {
  server: ApiServer
  clock: SimulatedClock
  /** What the engine reported as failures of its own. */
  failures: string[]
}

export function fuzzedServer(): FuzzedServer {
  const clock = new SimulatedClock()
  const failures: string[] = []
  const log = {
    error: (message: string, cause: unknown) =>
      failures.push(`${message}: ${cause instanceof Error ? cause.stack : String(cause)}`),
  }
  const server = createApiServer({
    release: TEST_RELEASE,
    clock,
    random: seededRandom(1),
    log,
    storage: createMemoryStorage(),
    tokens: TOKENS,
  })
  return { server, clock, failures }
}

/** Real time after which a request counts as hanging. */
const TIMEOUT_MILLISECONDS = 20_000
/** Simulated time that passes before a stream is taken for one without end. */
const STREAM_STEPS = 3

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** @throws Error if the request hangs */
export async function send(
  fuzzed: FuzzedServer,
  { method, target, headers, body }: FuzzRequest,
): Promise<TestResponse> {
  const bodiless = method === 'GET' || method === 'HEAD'
  const request = new Request('http://127.0.0.1/', {
    method,
    headers: { authorization: ADMIN, ...headers },
    ...(body === undefined || bodiless ? {} : { body: body as BodyInit }),
  })
  fuzzed.clock.advance(5)
  const response = await settled(fuzzed, fuzzed.server.fetchTarget(request, target))
  return {
    status: response.status,
    headers: response.headers,
    ...(await readBody(fuzzed, response)),
  }
}

/** Time passes wherever a request waits for it. */
async function settled<T>({ clock }: FuzzedServer, work: Promise<T>): Promise<T> {
  let done = false
  const note = () => {
    done = true
  }
  work.then(note, note)
  const start = performance.now()
  while (!done) {
    await turn()
    if (done) break
    const due = clock.nextDue()
    if (due !== undefined) clock.advance(Math.min(due - clock.now(), 1000))
    if (performance.now() - start > TIMEOUT_MILLISECONDS) throw new Error('the request hangs')
  }
  return work
}

async function readBody(
  { clock }: FuzzedServer,
  response: Response,
): Promise<{ body: Uint8Array; cut: boolean }> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { body: new Uint8Array(), cut: false }
  const chunks: Uint8Array[] = []
  for (let idle = 0; idle < STREAM_STEPS; ) {
    const read = reader.read()
    const chunk = await Promise.race([read, turn().then(turn)])
    if (chunk === undefined) {
      idle++
      clock.advance(1000)
      const late = await Promise.race([read, turn().then(turn)])
      if (late === undefined && idle >= STREAM_STEPS) break
      const next = late ?? (await Promise.race([read, turn().then(turn)]))
      if (next === undefined) break
      if (next.done) return { body: Buffer.concat(chunks), cut: false }
      chunks.push(next.value)
    } else if (chunk.done) return { body: Buffer.concat(chunks), cut: false }
    else chunks.push(chunk.value)
  }
  await reader.cancel()
  return { body: Buffer.concat(chunks), cut: true }
}
