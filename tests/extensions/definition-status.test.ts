/** What the status endpoint of definitions may change. */
import { expect, test } from 'vitest'
import { testServer } from '../registry/server'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const schema = { openAPIV3Schema: { type: 'object' } }

// The real server gives the new metadata for the old when it means to keep them apart, so nothing is kept; its own collector
// takes the cleanup finalizer off through this endpoint.
test('it changes metadata as those of most kinds do, and the spec not at all', async () => {
  const server = testServer()
  const versions = [{ name: 'v1', served: true, storage: true, schema }]
  await server.send('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions,
    },
  })
  const change = {
    metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/hold'] },
    spec: { names: { shortNames: ['w'] } },
  }
  const { status, body } = await server.send(
    'PATCH',
    `${DEFINITIONS}/widgets.example.com/status`,
    change,
    'application/merge-patch+json',
  )
  expect(status).toBe(200)
  expect(body.metadata).toMatchObject(change.metadata)
  expect(body.spec).not.toHaveProperty('names.shortNames')
  expect(JSON.stringify(body.metadata.managedFields)).not.toContain('f:labels')
})
