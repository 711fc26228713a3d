/** What a Scale demands of the workload that it stands for. */
import { expect, test } from 'vitest'
import { type Causes, testServer } from '../registry/server'

const HERE = '/api/v1/namespaces/default/replicationcontrollers'
const MERGE = 'application/merge-patch+json'
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }

test('a Scale of another workload of that name is in conflict', async () => {
  const { send } = testServer()
  const { uid } = (await send('POST', HERE, { metadata: { name: 'r' }, spec: { selector: { a: 'b' }, template } })).body.metadata
  const other = { metadata: { name: 'r', uid: 'other' }, spec: { replicas: 2 } }
  const put = await send<Causes>('PUT', `${HERE}/r/scale`, other)
  expect([put.status, put.body.message]).toEqual([
    409,
    `Operation cannot be fulfilled on replicationcontrollers "r": StorageError: invalid object, Code: 4, Key: /registry/controllers/default/r, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
  ])
  const patch = await send<Causes>('PATCH', `${HERE}/r/scale`, other, MERGE)
  expect([patch.status, patch.body.message]).toEqual([
    409,
    `Operation cannot be fulfilled on replicationcontrollers/scale "r": Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
  ])
  expect((await send('PUT', `${HERE}/r/scale`, { ...other, metadata: { name: 'r', uid: String(uid) } })).status).toBe(200)
})

test('a custom resource that says no number gets one through its Scale, and only by saying it', async () => {
  const { send } = testServer()
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' }
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'herds.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'herds', kind: 'Herd' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { scale } }],
    },
  })
  await new Promise((served) => setTimeout(served, 5))
  const herds = '/apis/example.com/v1/namespaces/default/herds'
  await send('POST', herds, { apiVersion: 'example.com/v1', kind: 'Herd', metadata: { name: 'h' }, spec: {} })
  const read = await send<Causes>('GET', `${herds}/h/scale`)
  expect([read.status, read.body.message]).toEqual([500, 'Internal error occurred: the spec replicas field ".spec.size" does not exist'])
  const silent = await send<Causes>('PATCH', `${herds}/h/scale`, { metadata: { labels: {} } }, MERGE)
  expect([silent.status, silent.body.message]).toEqual([400, 'the spec replicas field ".spec.size" cannot be empty'])
  const given = await send('PATCH', `${herds}/h/scale`, { spec: { replicas: 3 } }, MERGE)
  expect([given.status, given.body.spec]).toEqual([200, { replicas: 3 }])
})
