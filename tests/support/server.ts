/** A server for one test, on a simulated clock, with a helper for requests. */
import { expect } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from './release'

export interface RequestOptions {
  method?: string
  path: string
  body?: unknown
  /** Bearer token; `admin` may do everything, `alice` only what her roles grant. */
  token?: string | undefined
  headers?: Record<string, string>
}

export interface TestResponse {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks where it knows something to be
  json: any
}

export const TOKENS = 'admin,admin,1,"system:masters"\nalice,alice,2,"developers"'

export function testServer(options: Partial<ApiServerOptions> = {}): ApiServer {
  return createApiServer({
    release: TEST_RELEASE,
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error: (message, cause) => expect.fail(`${message}: ${cause}`) },
    storage: createMemoryStorage(),
    tokens: TOKENS,
    ...options,
  })
}

export async function sendRequest(
  server: ApiServer,
  { method = 'GET', path, body, token = 'admin', headers = {} }: RequestOptions,
): Promise<TestResponse> {
  const sent = {
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    'content-type': 'application/json',
    ...headers,
  }
  const content =
    body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await server.fetch(
    new Request(`http://localhost${path}`, { method, headers: sent, ...content }),
  )
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : undefined,
  }
}

export const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})
