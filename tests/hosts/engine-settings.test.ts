/**
 * Engine settings in a browser: stored with the cluster, applied after a restart, rejected when
 * invalid.
 */
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import type { ChannelResponse } from '../../src/hosts/shared/channel'
import { FIRST_SETTINGS } from '../../src/hosts/shared/engine-settings'

let count = 0
let engine: BrowserEngine
const engineOn = (databaseName: string) => {
  engine = new BrowserEngine({ databaseName })
  return engine
}
const fresh = () => engineOn(`settings-${++count}`)
const responseOf = (response: ChannelResponse): unknown => {
  if (!response.ok) throw new Error(response.message)
  return response.response
}
const send = (method: string, path: string, body?: unknown) =>
  engine.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    path,
  )

afterEach(() => engine.drain())

test('the first visit has default settings', async () => {
  expect(responseOf(await fresh().respond({ kind: 'settings', request: undefined }))).toEqual(
    FIRST_SETTINGS,
  )
})

test('a change applies at once, persists, and loses no object', async () => {
  const name = `settings-${++count}`
  engineOn(name)
  expect((await send('POST', '/api/v1/namespaces', { metadata: { name: 'kept' } })).status).toBe(
    201,
  )
  const changed = { ...FIRST_SETTINGS, controllers: ['*', '-job-controller'], nodes: 2 }
  expect(
    responseOf(
      await engine.respond({
        kind: 'configure',
        request: { controllers: ['*', '-job-controller'], nodes: 2 },
      }),
    ),
  ).toEqual(changed)
  expect((await send('GET', '/api/v1/namespaces/kept')).status).toBe(200)

  engineOn(name)
  expect(responseOf(await engine.respond({ kind: 'settings', request: undefined }))).toEqual(
    changed,
  )
  expect((await send('GET', '/api/v1/namespaces/kept')).status).toBe(200)
})

test('invalid settings are rejected with the reason, and the old ones stay', async () => {
  fresh()
  const rejected = await engine.respond({
    kind: 'configure',
    request: { controllers: ['no-such-controller'] },
  })
  expect(rejected).toMatchObject({
    ok: false,
    message: expect.stringContaining('no-such-controller'),
  })
  expect(responseOf(await engine.respond({ kind: 'settings', request: undefined }))).toEqual(
    FIRST_SETTINGS,
  )
  expect((await send('GET', '/api/v1/namespaces')).status).toBe(200)
})
