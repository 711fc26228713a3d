/**
 * Two servers with the same history: one gets a name that every JavaScript object inherits, the other a neutral name of the same
 * length and characters. Their responses must differ in that name alone.
 */
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'

/** An inherited name, and a neutral one that sorts next to it. */
export type NamePair = readonly [inherited: string, neutral: string]

export const NAME_PAIRS: readonly NamePair[] = [
  ['constructor', 'constructos'],
  ['__proto__', '__protp__'],
  ['toString', 'toStrinh'],
  ['hasOwnProperty', 'hasOwnPropertz'],
  ['valueOf', 'valueOg'],
  ['isPrototypeOf', 'isPrototypeOg'],
  ['toLocaleString', 'toLocaleStrinh'],
  ['__defineGetter__', '__defineGettes__'],
]

export interface SentRequest {
  method: string
  target: string
  headers?: Record<string, string>
  body?: unknown
}

const ADMIN = { authorization: 'Bearer admin-token' }

class RecordedServer {
  readonly failures: string[] = []
  private readonly api: ApiServer

  constructor(options: Partial<ApiServerOptions>) {
    this.api = createApiServer({
      release: TEST_RELEASE,
      clock: new SimulatedClock(),
      random: seededRandom(1),
      log: {
        error: (message, cause) =>
          this.failures.push(`${message}: ${cause instanceof Error ? cause.stack : cause}`),
      },
      storage: createMemoryStorage({ freeze: true }),
      tokens: 'admin-token,admin,,"system:masters"\n',
      runtimeConfig: { 'api/all': 'true' },
      disableAdmissionPlugins: ['ServiceAccount'],
      ...options,
    })
  }

  async send({ method, target, headers = {}, body }: SentRequest): Promise<string> {
    const init: RequestInit = {
      method,
      headers: { ...ADMIN, 'content-type': 'application/json', ...headers },
    }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await this.api.fetchTarget(new Request('http://127.0.0.1/', init), target)
    const text = await response.text()
    return [
      response.status,
      response.headers.get('warning'),
      response.headers.get('content-type'),
      text,
    ].join('\n')
  }
}

export class ServerPair {
  private readonly pair: readonly [RecordedServer, RecordedServer]

  /** @param options of both servers */
  constructor(options: Partial<ApiServerOptions> = {}) {
    this.pair = [new RecordedServer(options), new RecordedServer(options)]
  }

  /**
   * Sends a request made with each name of the pair.
   *
   * @returns the response to the inherited name, and what it should have been
   * @throws Error if a server failed inside
   */
  async send(
    names: NamePair,
    request: (name: string) => SentRequest,
  ): Promise<{ actual: string; expected: string }> {
    const [actual, neutral] = await Promise.all(
      names.map((name, index) => (this.pair[index] as RecordedServer).send(request(name))),
    )
    const failures = this.pair.flatMap(({ failures }) => failures.splice(0))
    if (failures.length > 0)
      throw new Error(`${JSON.stringify(request(names[0]))}\n${failures.join('\n')}`)
    return {
      actual: withoutIdentity(actual as string),
      expected: withoutIdentity(renamed(neutral as string, names)),
    }
  }
}

/** Values of Secrets are base64, and some columns show names in lower case. */
function renamed(text: string, [inherited, neutral]: NamePair): string {
  return text
    .replaceAll(neutral, inherited)
    .replaceAll(btoa(neutral), btoa(inherited))
    .replaceAll(neutral.toLowerCase(), inherited.toLowerCase())
}

/** A server that failed once has other uids and versions from then on: each failure is reported once, where it happens. */
const withoutIdentity = (text: string): string =>
  text
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'uid')
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":""')
