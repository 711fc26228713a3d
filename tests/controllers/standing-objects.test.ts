/**
 * Objects that the server recreates: system namespaces within a minute, its Service within ten
 * seconds.
 */
import { expect, it } from 'vitest'
import { type TestServer, testServer } from '../registry/server'

/** Advances the clock and waits for due work. */
async function pass(server: TestServer, milliseconds: number): Promise<void> {
  server.clock.advance(milliseconds)
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

it('recreates a system namespace within a minute', async () => {
  const server = testServer()
  await server.api.ready()
  const path = '/api/v1/namespaces/kube-node-lease'
  const first = await server.send('GET', path)
  await pass(server, 20_000)
  expect((await server.send('DELETE', path)).status).toBe(200)
  const finalize = {
    ...first.body,
    spec: { finalizers: [] },
    metadata: { name: 'kube-node-lease' },
  }
  await server.send('PUT', `${path}/finalize`, finalize)
  expect((await server.send('GET', path)).status).toBe(404)
  await pass(server, 39_000)
  expect((await server.send('GET', path)).status).toBe(404)
  await pass(server, 2_000)
  const again = await server.send('GET', path)
  expect(again.body.metadata.uid).not.toBe(first.body.metadata.uid)
  expect(again.body).toMatchObject({
    spec: first.body.spec,
    status: { phase: 'Active' },
    metadata: { labels: first.body.metadata.labels },
  })
})

it('recreates its Service within ten seconds, with the same ClusterIP', async () => {
  const server = testServer()
  await server.api.ready()
  const path = '/api/v1/namespaces/default/services/kubernetes'
  const first = await server.send('GET', path)
  expect((await server.send('DELETE', path)).status).toBe(200)
  await pass(server, 9_000)
  expect((await server.send('GET', path)).status).toBe(404)
  await pass(server, 2_000)
  const again = await server.send('GET', path)
  const reported = ({ metadata: { labels, managedFields }, spec }: typeof first.body) => ({
    labels,
    fields: managedFields?.map(({ manager, fieldsV1 }) => ({ manager, fieldsV1 })),
    spec,
  })
  expect(reported(again.body)).toEqual(reported(first.body))
})
