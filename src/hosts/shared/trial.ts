/**
 * Sends requests to a temporary server with a copy of the cluster; nothing is persisted, and time
 * does not wait.
 */

import type { ApiServer } from '../../engine/server/server'
import { copyOfStorage } from '../../engine/storage/copy'
import type { Storage } from '../../engine/storage/storage'
import type { PolicyFinding } from '../../engine/telemetry/policy-findings'

export interface TrialRequest {
  method: string
  path: string
  body?: string
  contentType?: string
  /** Absent for an anonymous request. */
  credential?: Record<string, string>
}

export interface TrialResponse {
  status: number
  text: string
  /** The `Warning` header as sent. */
  warning: string
  policies: PolicyFinding[]
}

/** Turns of the event loop without writes after which effects are complete. */
const QUIET_TURNS = 3
/** The maximum wait for endless effects, in turns. */
const MOST_TURNS = 300

/**
 * @param origin storage to copy; not changed
 * @param serverOver creates the server
 * @param turn resolves in the next turn of the event loop
 * @returns responses in order; each request waits for the effects of the previous one
 */
export async function runTrial(
  origin: Storage,
  serverOver: (storage: Storage) => ApiServer,
  requests: readonly TrialRequest[],
  turn: () => Promise<void>,
): Promise<TrialResponse[]> {
  const storage = await copyOfStorage(origin)
  const server = serverOver(storage)
  // Recorded only with a trace listener.
  let policies: PolicyFinding[] = []
  server.onTrace((trace) => {
    policies = trace.policies
  })
  try {
    const responses: TrialResponse[] = []
    for (const request of requests) {
      policies = []
      responses.push({ ...(await send(server, request)), policies })
      if (mayWrite(request)) await rest(storage, turn)
    }
    return responses
  } finally {
    await server.close()
  }
}

const mayWrite = ({ method, path }: TrialRequest): boolean =>
  method !== 'GET' && !/[?&]dryRun=/.test(path)

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
