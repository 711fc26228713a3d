/** Events expire an hour after their last write, including across restarts. */
import { afterEach, expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { type ApiServer, createApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'
import { sendRequest } from '../support/server'

const EVENTS = '/api/v1/namespaces/default/events'
const MINUTE = 60_000

const running: ApiServer[] = []

afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

function start(clock: SimulatedClock, rest: Partial<ApiServerOptions> = {}): ApiServer {
  const server = createApiServer({
    release: TEST_RELEASE,
    clock,
    random: seededRandom(1),
    log: { error: (message, cause) => expect.fail(`${message}: ${String(cause)}`) },
    storage: createMemoryStorage(),
    tokens: 'admin-token,admin,u-admin,"system:masters"\n',
    ...rest,
  })
  running.push(server)
  return server
}

const event = (name: string) => ({
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
  reason: 'Started',
  type: 'Normal',
})

const send = (
  server: ApiServer,
  method: string,
  path: string,
  body?: unknown,
  contentType = 'application/json',
) =>
  sendRequest(server, {
    method,
    path,
    token: 'admin-token',
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': contentType } }),
  })

async function names(server: ApiServer): Promise<string[]> {
  const { items } = JSON.parse((await send(server, 'GET', EVENTS)).text) as {
    items: { metadata: { name: string } }[]
  }
  return items.map(({ metadata }) => metadata.name)
}

/** Advances the clock and waits for due work. */
async function pass(clock: SimulatedClock, minutes: number): Promise<void> {
  clock.advance(minutes * MINUTE)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

it('deletes an event an hour after its last write, and notifies watchers', async () => {
  const clock = new SimulatedClock()
  const server = start(clock)
  await send(server, 'POST', EVENTS, event('first'))
  await pass(clock, 30)
  await send(server, 'POST', EVENTS, event('second'))
  await pass(clock, 29)
  expect(await names(server)).toEqual(['first', 'second'])
  const seen: string[] = []
  server.storage.watch('/registry/events/', server.storage.currentRevision(), {
    event: ({ type, key }) => seen.push(`${type} ${key.split('/').at(-1)}`),
    end: () => undefined,
  })
  await pass(clock, 2)
  expect(await names(server)).toEqual(['second'])
  await pass(clock, 30)
  expect(await names(server)).toEqual([])
  expect(seen).toEqual(['DELETED first', 'DELETED second'])
})

it('restarts the hour when an event is updated', async () => {
  const clock = new SimulatedClock()
  const server = start(clock)
  await send(server, 'POST', EVENTS, event('first'))
  await pass(clock, 40)
  const patched = await send(
    server,
    'PATCH',
    `${EVENTS}/first`,
    { count: 2 },
    'application/merge-patch+json',
  )
  expect(patched.status).toBe(200)
  await pass(clock, 40)
  expect(await names(server)).toEqual(['first'])
  await pass(clock, 21)
  expect(await names(server)).toEqual([])
})

it('restores the expiry after a restart', async () => {
  const clock = new SimulatedClock()
  const storage = createMemoryStorage()
  const before = start(clock, { storage })
  await send(before, 'POST', EVENTS, event('first'))
  await pass(clock, 30)
  await send(before, 'POST', EVENTS, event('second'))
  // A new server over the same store. The previous one gets no more requests.
  const after = start(clock, { storage })
  expect(await names(after)).toEqual(['first', 'second'])
  await pass(clock, 31)
  expect(await names(after)).toEqual(['second'])
})

it('applies --event-ttl, or keeps events without limit', async () => {
  const clock = new SimulatedClock()
  const [short, forever] = [start(clock, { eventTtl: 5 * MINUTE }), start(clock, { eventTtl: 0 })]
  for (const server of [short, forever]) await send(server, 'POST', EVENTS, event('first'))
  await pass(clock, 6)
  expect(await names(short)).toEqual([])
  await pass(clock, 600)
  expect(await names(forever)).toEqual(['first'])
})
