/**
 * What requests would come to: they are sent to a server of their own, which begins with a copy of the cluster and is discarded
 * afterwards. Nothing of the copy is written anywhere, and what goes on in it waits for no clock.
 */

import type { ApiServer } from '../../engine/server'
import { createMemoryStorage } from '../../engine/storage/memory'
import type { Storage } from '../../engine/storage/storage'
import type { PolicyFinding } from '../../engine/telemetry/policy-findings'

export interface TrialRequest {
  method: string
  path: string
  body?: string
  contentType?: string
  /** Headers by which the server recognizes who asks; absent: no one in particular. */
  credential?: Record<string, string>
}

export interface TrialResponse {
  status: number
  text: string
  /** The `Warning` header, as it is sent. */
  warning: string
  /** What policies found in the request. */
  policies: PolicyFinding[]
}

/** Turns of the event loop in which nothing is written: then what a request has set in motion has been done. */
const QUIET_TURNS = 3
/** What never comes to rest is waited for no longer than so many turns. */
const MOST_TURNS = 300

/**
 * @param origin is read once, and left as it is
 * @param serverOver makes the server
 * @param turn resolves in the event loop's next turn
 * @returns the responses in the order of the requests, each of which is sent when all that the one before has set in motion is done
 */
export async function runTrial(
  origin: Storage,
  serverOver: (storage: Storage) => ApiServer,
  requests: readonly TrialRequest[],
  turn: () => Promise<void>,
): Promise<TrialResponse[]> {
  const storage = await copyOf(origin)
  const server = serverOver(storage)
  // Whoever listens is told what policies found.
  let policies: PolicyFinding[] = []
  server.onTrace((trace) => {
    policies = trace.policies
  })
  try {
    const answers: TrialResponse[] = []
    for (const request of requests) {
      policies = []
      answers.push({ ...(await send(server, request)), policies })
      if (mayWrite(request)) await rest(storage, turn)
    }
    return answers
  } finally {
    await server.close()
  }
}

const mayWrite = ({ method, path }: TrialRequest): boolean =>
  method !== 'GET' && !/[?&]dryRun=/.test(path)

/** Objects are shared: what is stored is never changed. With the keys of the server itself, so that it knows whom it knew. */
async function copyOf(origin: Storage): Promise<Storage> {
  const { revision, items } = await origin.range('/registry/')
  const own = await origin.range('/kubetab/')
  const changes = [...items, ...own.items].map(({ key, object, revision, createRevision }) => ({
    key,
    object,
    revision,
    createRevision,
  }))
  changes.sort((a, b) => a.revision - b.revision)
  return createMemoryStorage({
    initial: { revision, compacted: revision, complete: true, changes, requests: [] },
  })
}

async function send(
  server: ApiServer,
  { method, path, body, contentType = 'application/json', credential = {} }: TrialRequest,
): Promise<Omit<TrialResponse, 'policies'>> {
  const headers = new Headers({
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': contentType }),
    ...credential,
  })
  const request = new Request(new URL(path, 'http://trial'), {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const response = await server.fetchTarget(request, path)
  return {
    status: response.status,
    text: await response.text(),
    warning: response.headers.get('warning') ?? '',
  }
}

async function rest(storage: Storage, turn: () => Promise<void>): Promise<void> {
  let quiet = 0
  for (let turns = 0; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
    const before = storage.currentRevision()
    await turn()
    quiet = storage.currentRevision() === before ? quiet + 1 : 0
  }
}
