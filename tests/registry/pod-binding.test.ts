import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { type Causes, testServer } from './server'

const PODS = '/api/v1/namespaces/default/pods'
const FAILED =
  'StorageError: invalid object, Code: 4, Key: /registry/pods/default/p, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed'

async function created() {
  const server = testServer()
  await server.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  })
  const { body } = await server.send('POST', PODS, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  })
  const bind = (metadata: JsonObject) =>
    server.send<Causes>('POST', `${PODS}/p/binding`, {
      metadata: { name: 'p', ...metadata },
      target: { name: 'n' },
    })
  return { ...server, pod: body, bind }
}

test('a binding with a resourceVersion applies to that version of the pod only', async () => {
  const { pod, bind } = await created()
  const { uid = '', resourceVersion = '' } = pod.metadata
  const { status, body } = await bind({ uid, resourceVersion: '1' })
  expect([status, body.message]).toEqual([
    409,
    `Operation cannot be fulfilled on pods "p": ${FAILED}: ResourceVersion in precondition: 1, ResourceVersion in object meta: ${resourceVersion}`,
  ])
  expect((await bind({ uid, resourceVersion })).status).toBe(201)
})

test('the legacy binding resource finds pods by name alone', async () => {
  const { send } = await created()
  const binding = { metadata: { name: 'p', uid: 'other' }, target: { name: 'n' } }
  expect((await send('POST', '/api/v1/namespaces/default/bindings', binding)).status).toBe(201)
})

test('a Binding sets the PodScheduled condition to True in its place', async () => {
  const { send, bind } = await created()
  const conditions: JsonObject[] = [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
    { type: 'Own', status: 'True' },
  ]
  await send(
    'PATCH',
    `${PODS}/p/status`,
    { status: { conditions } },
    'application/merge-patch+json',
  )
  await bind({})
  expect((await send('GET', `${PODS}/p`)).body.status).toMatchObject({
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Own', status: 'True' },
    ],
  })
})

test('a dry run names the key without its first segment', async () => {
  const { send } = await created()
  const binding = { metadata: { name: 'p', uid: 'other' }, target: { name: 'n' } }
  const { body } = await send<Causes>('POST', `${PODS}/p/binding?dryRun=All`, binding)
  expect(body.message).toContain(
    'Key: /pods/default/p, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID',
  )
  const updated = await send<Causes>('PUT', `${PODS}/p?dryRun=All`, {
    metadata: { name: 'p', uid: 'other' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  })
  expect(updated.body.message).toContain('Key: /pods/default/p,')
})

test('a Binding as a resource of its own ignores the uid of the request', async () => {
  const { send } = await created()
  const binding = { metadata: { name: 'p', uid: 'other' }, target: { name: 'n' } }
  expect((await send('POST', '/api/v1/namespaces/default/bindings', binding)).status).toBe(201)
})
