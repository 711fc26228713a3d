/**
 * An apply that changes nothing is not a write: the resourceVersion stays, and no watch event
 * follows. Recorded from kube-apiserver 1.31.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
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
      spec: {
        containers: [
          {
            name: 'web',
            image: 'web:1',
            ports: [{ containerPort: 80 }],
            resources: { limits: { memory: '1024Mi' } },
          },
        ],
      },
    },
  },
}

const map = (data: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  data,
})

const applied = (server: TestServer, path: string, body: JsonObject, manager = 'alpha') =>
  server.send('PATCH', `${path}/a?fieldManager=${manager}`, body, 'application/apply-patch+yaml')

describe('the same apply again', () => {
  it.each([
    ['of a map', CONFIG_MAPS, map({ k: 'v' })],
    ['of an object with defaults and quantities of another form', DEPLOYMENTS, web],
    [
      'of a time that the server sets',
      CONFIG_MAPS,
      { ...map({ k: 'v' }), metadata: { name: 'a', creationTimestamp: null } },
    ],
    [
      'of a generation that the server counts',
      DEPLOYMENTS,
      { ...web, metadata: { name: 'a', generation: 99 } },
    ],
  ])('%s returns the unchanged object', async (_what, path, body) => {
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

describe('an apply that only changes managers', () => {
  it('is a write', async () => {
    const server = testServer()
    const first = await applied(server, CONFIG_MAPS, map({ k: 'v' }))
    const shared = await applied(server, CONFIG_MAPS, map({ k: 'v' }), 'beta')
    expect(Number(shared.body.metadata.resourceVersion)).toBeGreaterThan(
      Number(first.body.metadata.resourceVersion),
    )
    expect(shared.body.data).toEqual(first.body.data)
  })
})

describe('values that differ only in form', () => {
  it('are a write if the later time reorders the entries', async () => {
    const server = testServer()
    const first = await applied(server, DEPLOYMENTS, web)
    server.clock.advance(3_600_000)
    await applied(
      server,
      DEPLOYMENTS,
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', labels } },
      'beta',
    )
    server.clock.advance(3_600_000)
    const again = await applied(server, DEPLOYMENTS, web)
    expect(again.body.metadata.managedFields?.map(({ manager }) => manager)).toEqual([
      'beta',
      'alpha',
    ])
    expect(again.body.metadata.resourceVersion).not.toBe(first.body.metadata.resourceVersion)
    server.clock.advance(3_600_000)
    expect((await applied(server, DEPLOYMENTS, web)).body).toEqual(again.body)
  })

  it('are not a write in a patch either', async () => {
    const server = testServer()
    const relabelled = async () => {
      const body = { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } }
      return (
        await server.send(
          'PATCH',
          '/api/v1/namespaces/default?fieldManager=alpha',
          body,
          'application/merge-patch+json',
        )
      ).body
    }
    const first = await relabelled()
    server.clock.advance(3_600_000)
    expect(await relabelled()).toEqual(first)
  })
})
