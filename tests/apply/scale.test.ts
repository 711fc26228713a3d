/** A Scale is an object of its own; a write through it owns only the replicas of the workload. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { testServer } from '../registry/server'

const SETS = '/apis/apps/v1/namespaces/default/replicasets'
const MERGE = 'application/merge-patch+json'
const labels = { app: 'web' }
const set: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
}

it.each<[string, JsonObject, string[]]>([
  ['its number', { spec: { replicas: 3 } }, ['alpha Apply', 'beta Update scale']],
  ['its status alone', { status: { replicas: 3 } }, ['alpha Apply']],
  [
    'its status, and the number to none',
    { spec: { replicas: 0 }, status: { replicas: 3 } },
    ['alpha Apply'],
  ],
])('gives who writes %s what he wrote of the workload', async (_, patch, owners) => {
  const server = testServer()
  await server.send('PATCH', `${SETS}/web?fieldManager=alpha`, set, 'application/apply-patch+yaml')
  await server.send('PATCH', `${SETS}/web/scale?fieldManager=beta`, patch, MERGE)
  const { managedFields } = (await server.send('GET', `${SETS}/web`)).body.metadata
  expect(
    managedFields?.map(({ manager, operation, subresource }) =>
      [manager, operation, subresource].join(' ').trim(),
    ),
  ).toEqual(owners)
})

const ownersOf = async (server: ReturnType<typeof testServer>) =>
  (await server.send('GET', `${SETS}/web`)).body.metadata.managedFields?.map(
    ({ manager, time, fieldsV1 }) => [
      manager,
      time !== undefined,
      Object.keys((fieldsV1?.['f:spec'] ?? {}) as JsonObject).includes('f:replicas'),
    ],
  )

it('moves replicas to an entry of their own if an updater keeps them', async () => {
  const server = testServer()
  await server.send('POST', `${SETS}?fieldManager=alpha`, set)
  await server.send('PATCH', `${SETS}/web/scale?fieldManager=beta`, { spec: {} }, MERGE)
  expect(await ownersOf(server)).toEqual([
    ['alpha', false, true],
    ['alpha', true, false],
  ])
  await server.send(
    'PATCH',
    `${SETS}/web?fieldManager=beta`,
    { metadata: { labels: { a: 'b' } } },
    MERGE,
  )
  expect(await ownersOf(server)).toEqual([
    ['alpha', true, false],
    ['beta', true, false],
  ])
})

it('truncates replicas beyond 32 bits', async () => {
  const server = testServer()
  await server.send('POST', SETS, set)
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: {},
    spec: { replicas: 2 ** 32 + 3 },
  }
  const { status, body } = await server.send(
    'PATCH',
    `${SETS}/web/scale?fieldManager=a&force=true`,
    scale,
    'application/apply-patch+yaml',
  )
  expect([status, body.spec]).toEqual([200, { replicas: 3 }])
})
