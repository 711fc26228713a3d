/** A server in this process with so many objects, for measuring what one more request costs. */
import { type Clock, seededRandom } from '../../src/engine/core/environment'
import { type ApiResponse, isStream } from '../../src/engine/http/messages'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'
import { TEST_RELEASE } from '../support/release'

const encoder = new TextEncoder()

export interface RequestInput {
  method: string
  target: string
  body?: object
  type?: string
}

export interface MeasuredServer {
  api: ApiServer
  /** @throws Error for a response above 299 */
  sendRequest(requested: RequestInput): Promise<ApiResponse>
}

/** Real time that calls no one back: nothing but what is requested costs anything. */
const clock: Clock = { now: () => Date.now(), after: () => () => undefined }

export function measuredServer(storage: Storage = createMemoryStorage()): MeasuredServer {
  const api = createApiServer({
    release: TEST_RELEASE,
    clock,
    random: seededRandom(1),
    log: { error: (message, cause) => console.error(message, cause) },
    storage,
    tokens: 'admin-token,admin,admin-uid,"system:masters"\n',
  })
  return {
    api,
    async sendRequest({ method, target, body, type = 'application/json' }) {
      const bytes = body === undefined ? new Uint8Array() : encoder.encode(JSON.stringify(body))
      const headers: Record<string, string> = {
        authorization: 'Bearer admin-token',
        accept: 'application/json',
        'user-agent': 'measure',
      }
      if (body) headers['content-type'] = type
      const response = await api.handle({
        method,
        target,
        header: (name) => headers[name],
        headerNames: () => Object.keys(headers),
        body: () => Promise.resolve(bytes),
      })
      if (response.status > 299)
        throw new Error(`${method} ${target}: ${response.status} ${textOf(response)}`)
      return response
    },
  }
}

const decoder = new TextDecoder()

export function textOf({ body }: ApiResponse): string {
  if (body === undefined || isStream(body)) return ''
  return typeof body === 'string' ? body : decoder.decode(body)
}

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
export const PODS = '/api/v1/namespaces/default/pods'
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

/** About 1 KB when it is stored. */
export const configMap = (i: number, text = String(i)) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `c-${i}`, labels: { app: `a${i % 10}`, shard: `s${i % 100}` } },
  data: { key: `${i} `.padEnd(700, 'value '), n: text },
})

export const pod = (i: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `p-${i}`, labels: { app: `p${i % 10}` } },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '10m' } } }] },
})

export const deployment = (i: number, image = 'nginx:1.27') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `d-${i}`, labels: { app: `d${i}` } },
  spec: {
    selector: { matchLabels: { app: `d${i}` } },
    template: {
      metadata: { labels: { app: `d${i}` } },
      spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 80 }] }] },
    },
  },
})

/** What every pod needs before it can be created. */
export async function withServiceAccount({ sendRequest }: MeasuredServer): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  await sendRequest({ method: 'POST', target: '/api/v1/namespaces/default/serviceaccounts', body })
}

/** Creates so many of them. */
export async function fill(
  { sendRequest }: MeasuredServer,
  target: string,
  count: number,
  object: (i: number) => object,
): Promise<void> {
  for (let i = 0; i < count; i++) await sendRequest({ method: 'POST', target, body: object(i) })
}
