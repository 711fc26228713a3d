/** An in-memory server, with shorthands for requests. */
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { createApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'

const TOKENS = 'admin-token,admin,,"system:masters"\n'

export interface RequestInput {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON unless it is a string or bytes. */
  body?: unknown
}

export type SendRequest = (
  target: string,
  requested?: RequestInput,
) => Promise<{ status: number; headers: Headers; text: string; json: Record<string, unknown> }>

const isSentAsIs = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

export function testClient(options: Partial<ApiServerOptions> = {}): SendRequest {
  const log = {
    error(message: string, cause: unknown) {
      throw new Error(message, { cause })
    },
  }
  const server = createApiServer({
    release: TEST_RELEASE,
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log,
    storage: createMemoryStorage(),
    tokens: TOKENS,
    ...options,
  })
  return async (target, { method = 'GET', headers = {}, body } = {}) => {
    const given = {
      authorization: 'Bearer admin-token',
      'content-type': 'application/json',
      ...headers,
    }
    const content =
      body === undefined ? {} : { body: isSentAsIs(body) ? body : JSON.stringify(body) }
    const response = await server.fetchTarget(
      new Request('http://127.0.0.1/', { method, headers: given, ...content }),
      target,
    )
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isDocument(text) ? JSON.parse(text) : {},
    }
  }
}

/** Returns whether the text is one JSON object, and not a stream of several. */
const isDocument = (text: string): boolean =>
  text.startsWith('{') && !text.trimEnd().includes('}\n{')
