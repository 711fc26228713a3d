// A rollout with controllers, a scheduler and simulated nodes, with vitest: its time passes as fast as the test wants.

import { type TestServer, testServerFixture } from 'kubetab'
import { test as base, expect } from 'vitest'

const deployment = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image }] },
    },
  },
})
const web = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'default' }

const test = base.extend<{ cluster: TestServer }>({
  cluster: testServerFixture({
    objects: [deployment('web:1')],
    controllers: ['*'],
    scheduler: true,
    nodes: 2,
  }),
})

test('a new image reaches every pod', async ({ cluster }) => {
  await cluster.clock.advance(60_000)
  await cluster.client.apply(deployment('web:2'), { force: true })
  await cluster.clock.advance(120_000)
  expect((await cluster.client.get(web)).status).toMatchObject({
    readyReplicas: 3,
    updatedReplicas: 3,
  })
  const pods = await cluster.client.list<{
    apiVersion: string
    kind: string
    spec: { containers: { image: string }[] }
  }>({
    apiVersion: 'v1',
    kind: 'Pod',
  })
  expect(pods.map(({ spec }) => spec.containers[0]?.image)).toEqual(['web:2', 'web:2', 'web:2'])
})
