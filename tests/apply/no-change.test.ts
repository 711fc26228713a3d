/** An apply that changes nothing is no write: the object keeps its version, and no watcher hears of it (recorded). */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/object'
import { CONFIG_MAPS, type TestServer, testServer } from '../registry/server'

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

const labels = { app: 'web' }
const web: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 80 }], resources: { limits: { memory: '1024Mi' } } }] },
    },
  },
}

const map = (data: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data })

const applied = (server: TestServer, path: string, body: JsonObject, manager = 'alpha') =>
  server.send('PATCH', `${path}/a?fieldManager=${manager}`, body, 'application/apply-patch+yaml')

describe('the same apply once more', () => {
  it.each([
    ['of a map', CONFIG_MAPS, map({ k: 'v' })],
    ['of an object with defaults and quantities of another form', DEPLOYMENTS, web],
  ])('%s answers the object as it is', async (_what, path, body) => {
    const server = testServer()
    const { events } = await server.watch(`${path}?watch=1`)
    const first = await applied(server, path, body)
    server.clock.advance(3_600_000)
    const second = await applied(server, path, body)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
    expect(events.map(({ type }) => type)).toEqual(['ADDED'])
  })
})

describe('an apply that only changes who owns what', () => {
  it('is a write', async () => {
    const server = testServer()
    const first = await applied(server, CONFIG_MAPS, map({ k: 'v' }))
    const shared = await applied(server, CONFIG_MAPS, map({ k: 'v' }), 'beta')
    expect(Number(shared.body.metadata.resourceVersion)).toBeGreaterThan(Number(first.body.metadata.resourceVersion))
    expect(shared.body.data).toEqual(first.body.data)
  })
})
