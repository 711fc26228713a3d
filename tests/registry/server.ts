/** A server for one test, with a manual clock and shorthands for requests. */
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import type { Json, JsonObject, KubeObject } from '../../src/engine/core/object'
import { type ApiResponse, isStream, type StreamSink } from '../../src/engine/http/messages'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'

export interface TestResponse<Body = KubeObject> {
  status: number
  headers: ApiResponse['headers']
  body: Body
}

export interface WatchEvent {
  type: string
  object: KubeObject
}

export interface TestServer {
  api: ApiServer
  clock: SimulatedClock
  /** Sends a request as a member of system:masters. @param body an object is sent as JSON */
  send<Body = KubeObject>(
    method: string,
    target: string,
    body?: JsonObject,
    contentType?: string,
  ): Promise<TestResponse<Body>>
  /** Opens a watch whose chunks go to the sink. @returns a function that ends the watch */
  open(target: string, sink: StreamSink, accept?: string): Promise<() => void>
  /** Reads a path as a Table. */
  table(target: string): Promise<{ rows: { cells: Json[] }[] }>
  /** Opens a watch and collects its events. */
  watch(
    target: string,
    accept?: string,
  ): Promise<{ events: WatchEvent[]; ended(): boolean; leave(): void }>
}

const ADMIN = 'admin-token'
const JSON_TYPE = 'application/json'
export const TABLE = `${JSON_TYPE};as=Table;g=meta.k8s.io;v=v1`

/** Options of the test server. */
type Choices = Pick<
  ApiServerOptions,
  | 'featureGates'
  | 'runtimeConfig'
  | 'serviceRanges'
  | 'nodePortRange'
  | 'timeLimits'
  | 'tolerationSeconds'
  | 'random'
  | 'disableAdmissionPlugins'
  | 'release'
  | 'storage'
>

export function testServer(options: Partial<Choices> = {}): TestServer {
  const clock = new SimulatedClock()
  const failures: string[] = []
  const api = createApiServer({
    release: TEST_RELEASE,
    clock,
    random: seededRandom(1),
    log: { error: (message, cause) => failures.push(`${message}: ${cause}`) },
    storage: createMemoryStorage({ freeze: true }),
    tokens: `${ADMIN},admin,admin-uid,"system:masters"\n`,
    ...options,
  })

  function request(
    method: string,
    target: string,
    body?: JsonObject,
    contentType = JSON_TYPE,
    accept = JSON_TYPE,
  ): Promise<ApiResponse> {
    const bytes =
      body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body))
    const headers: Record<string, string> = {
      authorization: `Bearer ${ADMIN}`,
      accept,
      'user-agent': 'test',
    }
    if (body !== undefined) headers['content-type'] = contentType
    return api.handle({
      method,
      target,
      header: (name) => headers[name],
      headerNames: () => Object.keys(headers),
      body: () => Promise.resolve(bytes),
    })
  }

  async function open(target: string, sink: StreamSink, accept?: string): Promise<() => void> {
    const { status, body } = await request('GET', target, undefined, '', accept)
    if (!isStream(body)) throw new Error(`${target} is not a watch: ${status} ${body}`)
    return body.start(sink)
  }

  return {
    api,
    clock,
    async send<Body>(method: string, target: string, body?: JsonObject, contentType?: string) {
      const response = await request(method, target, body, contentType)
      const text = textOf(response)
      if (failures.length > 0) throw new Error(failures.join('\n'))
      return { status: response.status, headers: response.headers, body: JSON.parse(text) as Body }
    },
    open,
    table: async (target) => JSON.parse(textOf(await request('GET', target, undefined, '', TABLE))),
    async watch(target, accept) {
      const events: WatchEvent[] = []
      let ended = false
      const decoder = new TextDecoder()
      const finish = () => {
        ended = true
      }
      const write = (chunk: string | Uint8Array) => {
        const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk)
        for (const line of text.split('\n')) if (line !== '') events.push(JSON.parse(line))
        return true
      }
      const leave = await open(target, { write, end: finish, abort: finish }, accept)
      return { events, ended: () => ended, leave }
    },
  }
}

const textOf = ({ body }: ApiResponse): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array)

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

export function configMap(
  name: string,
  data: Record<string, string> = {},
  labels: Record<string, string> = {},
): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data }
}

/** A Status with the causes of invalid fields. */
export interface Causes extends KubeObject {
  details?: { causes?: { field: string; message: string }[] }
}

/** Returns the causes of a Status in order: `spec.type: Required value`. */
export const causes = ({ details }: Causes): string[] =>
  (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)
