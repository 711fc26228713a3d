/** A request of any size, and the server that it is sent to. */
import { SimulatedClock, seededRandom } from '../../../../src/engine/core/environment'
import { DEFAULT_RELEASE } from '../../../../src/engine/releases/release'
import { type ApiServer, createApiServer } from '../../../../src/engine/server/server'
import type { ApiServerOptions } from '../../../../src/engine/server/server-options'
import { createMemoryStorage } from '../../../../src/engine/storage/memory'

/** The sizes of a probe that names none. Levels end at 500, so that the first three compare depths. */
export const SIZES: readonly number[] = [32, 128, 512, 4096]

/** Something whose work is counted at several sizes. */
export interface Probe {
  name: string
  /** Smallest first. */
  sizes?: readonly number[]
  /** Prepares, uncounted. @returns the counted work; its text is the status and body of the response */
  prepare(size: number, fail: (why: string) => void): Promise<() => Promise<string>>
}

export interface Call {
  method?: string
  path: string
  body?: unknown
  type?: string
  headers?: readonly (readonly [string, string])[]
}

export interface Target {
  server: ApiServer
  clock: SimulatedClock
  /** @returns `201 {…}` */
  send(call: Call): Promise<string>
  /** Runs everything that falls due within some seconds. */
  pass(seconds: number): Promise<void>
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function target(
  fail: (why: string) => void,
  options: Partial<ApiServerOptions> = {},
): Target {
  const clock = new SimulatedClock()
  const server = createApiServer({
    release: DEFAULT_RELEASE,
    clock,
    random: seededRandom(1),
    log: { error: (message, cause) => fail(`${message}: ${cause}`) },
    storage: createMemoryStorage(),
    tokens: 'admin-token,admin,,"system:masters"\nalice,alice,,\n',
    runtimeConfig: { 'api/all': 'true' },
    disableAdmissionPlugins: ['ServiceAccount'],
    ...options,
  })
  async function send({ method = 'GET', path, body, type, headers = [] }: Call): Promise<string> {
    const given = new Headers([...headers.map(([name, value]): [string, string] => [name, value])])
    if (!given.has('authorization')) given.set('authorization', 'Bearer admin-token')
    if (body !== undefined) given.set('content-type', type ?? 'application/json')
    const init: RequestInit = { method, headers: given }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await server.fetchTarget(new Request('http://127.0.0.1/', init), path)
    const text = await response.text()
    if (text.includes('"reason":"InternalError"'))
      fail(`${method} ${path.slice(0, 80)}: ${text.slice(0, 200)}`)
    return `${response.status} ${text}`
  }
  async function pass(seconds: number): Promise<void> {
    const end = clock.now() + seconds * 1000
    await settled()
    for (let due = clock.nextDue(); due !== undefined && due <= end; due = clock.nextDue()) {
      clock.advance(Math.max(0, due - clock.now()))
      await settled()
    }
    clock.advance(end - clock.now())
    await settled()
  }
  return { server, clock, send, pass }
}

export const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))

/** The inner value in that many levels. */
export function nested<Value>(
  levels: number,
  inner: Value,
  around: (value: Value) => Value,
): Value {
  let value = inner
  for (let level = 0; level < levels; level++) value = around(value)
  return value
}

/**
 * Levels of a probe of depth: 500 are allowed, and a level of a schema is two of JSON. Clients write
 * no more than a stack holds.
 */
export const depthOf = (size: number): number => Math.min(1024, Math.floor(size / 4))
