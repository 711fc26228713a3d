/** The scale of a workload is validated by itself before the workload changes. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { testServer } from './server'

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const MERGE = 'application/merge-patch+json'

interface ErrorBody {
  message: string
  details: { group: string; kind: string; causes?: { field: string }[] }
}

async function withDeployment() {
  const server = testServer()
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }
  const { body } = await server.send('POST', DEPLOYMENTS, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  })
  const scale = (metadata: JsonObject, replicas: number): JsonObject => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', ...metadata },
    spec: { replicas },
  })
  const send = (method: string, change: JsonObject) =>
    server.send<ErrorBody>(
      method,
      `${DEPLOYMENTS}/web/scale`,
      change,
      method === 'PATCH' ? MERGE : undefined,
    )
  return { uid: body.metadata.uid ?? '', scale, send }
}

it('validates its own metadata', async () => {
  const { scale, send } = await withDeployment()
  for (const [method, change] of [
    ['PUT', scale({ labels: { 'no label': '' } }, -1)],
    ['PATCH', { metadata: { labels: { 'no label': '' } }, spec: { replicas: -1 } }],
  ] as const) {
    const { status, body } = await send(method, change)
    expect([status, body.details.group, body.details.kind]).toEqual([422, 'autoscaling', 'Scale'])
    expect(body.details.causes?.map(({ field }) => field)).toEqual([
      'metadata.labels',
      'spec.replicas',
    ])
  }
})

it('returns 409 for a uid precondition that does not match the workload', async () => {
  const { uid, scale, send } = await withDeployment()
  const failed = `Precondition failed: UID in precondition: other, UID in object meta: ${uid}`
  const put = await send('PUT', scale({ uid: 'other' }, 3))
  expect([put.status, put.body.message]).toEqual([
    409,
    `Operation cannot be fulfilled on deployments.apps "web": StorageError: invalid object, Code: 4, Key: /registry/deployments/default/web, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`,
  ])
  const patch = await send('PATCH', { metadata: { uid: 'other' } })
  expect([patch.status, patch.body.message]).toEqual([
    409,
    `Operation cannot be fulfilled on deployments/scale.apps "web": ${failed}`,
  ])
  expect((await send('PUT', scale({ uid }, 3))).status).toBe(200)
})

it.each([
  ['/apis/apps/v1/namespaces/default/deployments', 'deployments/scale.apps "web" not found', 404],
  ['/apis/apps/v1/namespaces/default/replicasets', 'replicasets/scale.apps "web" not found', 404],
  [
    '/api/v1/namespaces/default/replicationcontrollers',
    'replicationcontrollers/scale.autoscaling "web" not found',
    404,
  ],
  ['/apis/apps/v1/namespaces/default/statefulsets', 'statefulsets.apps "web" not found', 500],
])('of a missing workload of %s returns an error: %s', async (workloads, message, code) => {
  const server = testServer()
  const read = async (query: string) =>
    (await server.send<ErrorBody & { code: number }>('GET', `${workloads}/web/scale${query}`)).body
  expect(await read('')).toMatchObject({ message, code: 404 })
  // Stateful sets report the query error instead.
  expect((await read('?resourceVersion=what')).code).toBe(code)
})
