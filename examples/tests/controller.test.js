// A controller of one's own against a cluster in memory, with Node's test runner: node --test examples/tests/controller.test.js
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sharedTestServer } from 'kubetab'

const cluster = sharedTestServer(
  { beforeEach, afterAll: after },
  {
    objects: `
apiVersion: v1
kind: ConfigMap
metadata: { name: greeting, namespace: shop, labels: { copy: "true" } }
data: { text: hello }
`,
  },
)

const target = { apiVersion: 'v1', kind: 'ConfigMap', name: 'greeting', namespace: 'copies' }

/** What is tested: copies labelled ConfigMaps into another namespace, as a user who may do just that. */
async function copyOnce(client) {
  for (const { metadata, data } of await client.list(
    { apiVersion: 'v1', kind: 'ConfigMap' },
    { labelSelector: 'copy=true' },
  ))
    await client.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: metadata.name, namespace: 'copies' },
      data,
    })
}

test('copies what is labelled', async () => {
  const { client } = cluster()
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'copies' } })
  await copyOnce(client)
  assert.deepEqual((await client.get(target)).data, { text: 'hello' })
})

test('says that the namespace is missing', async () => {
  await assert.rejects(copyOnce(cluster().client), {
    code: 404,
    message: 'namespaces "copies" not found',
  })
})

test('needs a role', async () => {
  await assert.rejects(copyOnce(cluster().as({ name: 'copier' })), {
    code: 403,
    reason: 'Forbidden',
  })
})

test('survives somebody else who owns the field', async () => {
  const { client } = cluster()
  await cluster().load([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'greeting', namespace: 'copies' },
      data: { text: 'mine' },
    },
  ])
  await assert.rejects(copyOnce(client), { code: 409, reason: 'Conflict' })
})
