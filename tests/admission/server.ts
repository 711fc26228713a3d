/** A server for one test, and requests as the administrator. */

import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import type { ObjectMeta } from '../../src/engine/core/object'
import { createApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { PodSpec } from '../../src/engine/validation/pods'
import { TEST_RELEASE } from '../support/release'

type Json = Record<string, unknown>

/** The fields of pods, namespaces, quotas and Statuses that tests read. */
interface Body {
  message: string
  metadata: ObjectMeta
  spec: PodSpec
  status: { phase?: string; used?: Record<string, string> }
}

export interface TestResponse {
  status: number
  body: Body
  warnings: string
}

export interface TestServer {
  send(method: string, path: string, body?: Json, token?: string): Promise<TestResponse>
  /** Creates a namespace with its default service account, as the controllers would. */
  namespace(name: string, metadata?: Json): Promise<void>
  /** POSTs a pod with one container `c` into the namespace. */
  pod(namespace: string, spec?: Json, metadata?: Json): Promise<TestResponse>
}

const TOKENS = 'admin,admin,1,"system:masters"\nalice,alice,2,developers\n'

export function testServer(options: Partial<ApiServerOptions> = {}): TestServer {
  const failures: unknown[] = []
  const server = createApiServer({
    release: TEST_RELEASE,
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error: (_message, cause) => failures.push(cause) },
    storage: createMemoryStorage(),
    tokens: TOKENS,
    ...options,
  })
  const send: TestServer['send'] = async (method, path, body, token = 'admin') => {
    const response = await server.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    const result = {
      status: response.status,
      body: (await response.json()) as Body,
      warnings: response.headers.get('warning') ?? '',
    }
    if (failures.length > 0) throw failures[0]
    return result
  }
  return {
    send,
    async namespace(name, metadata = {}) {
      await send('POST', '/api/v1/namespaces', { metadata: { name, ...metadata } })
      await send('POST', `/api/v1/namespaces/${name}/serviceaccounts`, {
        metadata: { name: 'default' },
      })
    },
    pod: (namespace, spec = {}, metadata = {}) =>
      send('POST', `/api/v1/namespaces/${namespace}/pods`, {
        metadata: { name: 'p', ...metadata },
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i:1' }],
          ...spec,
        },
      }),
  }
}
