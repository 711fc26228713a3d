/** A Scale is an object of its own, but nobody owns more of a workload through it than the number of replicas. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/object'
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
  ['its status, and the number to none', { spec: { replicas: 0 }, status: { replicas: 3 } }, ['alpha Apply']],
])('gives who writes %s what he wrote of the workload', async (_, patch, owners) => {
  const server = testServer()
  await server.send('PATCH', `${SETS}/web?fieldManager=alpha`, set, 'application/apply-patch+yaml')
  await server.send('PATCH', `${SETS}/web/scale?fieldManager=beta`, patch, MERGE)
  const { managedFields } = (await server.send('GET', `${SETS}/web`)).body.metadata
  expect(managedFields?.map(({ manager, operation, subresource }) => [manager, operation, subresource].join(' ').trim())).toEqual(owners)
})

it('splits the entry of who owns the number by updates, and then forgets him, though nothing changes', async () => {
  const server = testServer()
  await server.send('POST', `${SETS}?fieldManager=alpha`, set)
  const entries = async () => {
    const { managedFields = [] } = (await server.send('GET', `${SETS}/web`)).body.metadata
    return managedFields.map(({ manager, time, fieldsV1 }) => {
      const spec = (fieldsV1 as { 'f:spec'?: JsonObject })['f:spec'] ?? {}
      return `${manager} ${time ? 'timed' : 'timeless'} ${Object.keys(spec).includes('f:replicas') ? 'replicas' : 'others'}`
    })
  }
  const same = () => server.send('PATCH', `${SETS}/web/scale?fieldManager=beta`, { spec: { replicas: 2 } }, MERGE)
  expect(await entries()).toEqual(['alpha timed replicas'])
  await same()
  expect(await entries()).toEqual(['alpha timeless replicas', 'alpha timed others'])
  await same()
  expect(await entries()).toEqual(['alpha timed others'])
})
