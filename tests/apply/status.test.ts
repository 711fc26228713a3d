/** Applies through the status endpoint write and own what that endpoint writes, and no more (recorded). */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/object'
import { testServer } from '../registry/server'

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const APPLY = 'application/apply-patch+yaml'

const web = (members: JsonObject): JsonObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', ...members })

it('writes the status, and of the metadata what the kind lets it', async () => {
  const server = testServer()
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
  await server.send(
    'POST',
    DEPLOYMENTS,
    web({ metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: labels }, template } }),
  )
  const applied = web({
    metadata: { name: 'web', labels: { x: 'y' }, annotations: { a: 'b' } },
    spec: { replicas: 7 },
    status: { readyReplicas: 1, replicas: 1 },
  })
  const { status, body } = await server.send('PATCH', `${DEPLOYMENTS}/web/status?fieldManager=controller`, applied, APPLY)
  expect(status).toBe(200)
  expect(body).toMatchObject({ metadata: { annotations: { a: 'b' } }, spec: { replicas: 2 }, status: { readyReplicas: 1 } })
  expect(body.metadata).not.toHaveProperty('labels')
  const entry = body.metadata.managedFields?.find(({ manager }) => manager === 'controller')
  expect(entry).toMatchObject({ operation: 'Apply', subresource: 'status' })
  expect(entry?.fieldsV1).toEqual({
    'f:metadata': { 'f:annotations': { 'f:a': {} } },
    'f:status': { 'f:readyReplicas': {}, 'f:replicas': {} },
  })
})

it('does not write the status through the object itself', async () => {
  const server = testServer()
  const labels = { app: 'web' }
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  }
  const applied = web({ metadata: { name: 'web' }, spec, status: { replicas: 3 } })
  const { body } = await server.send('PATCH', `${DEPLOYMENTS}/web?fieldManager=alpha`, applied, APPLY)
  expect(body.status).toEqual({})
  expect(Object.keys(body.metadata.managedFields?.[0]?.fieldsV1 ?? {})).toEqual(['f:spec'])
})
