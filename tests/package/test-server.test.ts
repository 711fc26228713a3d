/** The package as tests use it: a cluster without a port, with a stopped clock and with reset(). */
import { afterAll, test as base, beforeEach, describe, expect, it } from 'vitest'
import { ALL_RELEASES, DEFAULT_RELEASE } from '../../src/engine/releases'
import { identityOf } from '../../src/engine/releases/release'
import {
  ApiFailure,
  type ApiObject,
  createApiServer,
  createTestServer,
  type KubernetesRelease,
  sharedTestServer,
  type TestServer,
  testServerFixture,
} from '../../src/package'

const SHOP = `
apiVersion: v1
kind: ConfigMap
metadata: { name: prices, namespace: shop }
data: { apple: "3" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }
`
const prices = { apiVersion: 'v1', kind: 'ConfigMap', name: 'prices', namespace: 'shop' }
const web = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }

async function withCluster<Result>(
  options: Parameters<typeof createTestServer>[0],
  use: (cluster: TestServer) => Promise<Result>,
) {
  const cluster = await createTestServer(options)
  try {
    return await use(cluster)
  } finally {
    await cluster.close()
  }
}

describe('a test server', () => {
  it('begins with objects, and makes the namespaces that they need', () =>
    withCluster({ objects: SHOP }, async ({ client, requests }) => {
      expect(requests).toHaveLength(0)
      expect((await client.get(prices)).data).toEqual({ apple: '3' })
      expect(
        (await client.list({ apiVersion: 'v1', kind: 'Namespace' })).map(
          ({ metadata }) => metadata?.name,
        ),
      ).toContain('shop')
    }))

  it('serves fetch as the administrator, or as the user that the request names', () =>
    withCluster({ tokens: 'alice-token,alice,,' }, async (cluster) => {
      expect((await cluster.fetch('/api/v1/namespaces')).status).toBe(200)
      expect(
        (
          await cluster.fetch('/api/v1/namespaces', {
            headers: { authorization: 'Bearer alice-token' },
          })
        ).status,
      ).toBe(403)
      expect((await cluster.fetch(new Request('http://any/version'))).status).toBe(200)
      expect(cluster.requests.map(({ user, status }) => `${user} ${status}`)).toEqual([
        'kubernetes-admin 200',
        'alice 403',
        'kubernetes-admin 200',
      ])
    }))

  it('creates, reads, updates, patches, applies, lists and deletes', () =>
    withCluster({ objects: SHOP }, async ({ client }) => {
      const created = await client.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', labels: { x: 'y' } },
      })
      expect(created.metadata).toMatchObject({ namespace: 'default', name: 'a' })
      const updated = await client.update({ ...created, data: { a: '1' } })
      expect(updated.data).toEqual({ a: '1' })
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }
      expect((await client.patch(reference, { data: { a: '2' } })).data).toEqual({ a: '2' })
      expect(
        (await client.patch(reference, [{ op: 'add', path: '/data/b', value: '3' }])).data,
      ).toEqual({ a: '2', b: '3' })
      const applied = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        data: { a: '9' },
      }
      await expect(client.apply(applied)).rejects.toMatchObject({ code: 409, reason: 'Conflict' })
      expect((await client.apply(applied, { force: true, dryRun: true })).data).toEqual({
        a: '9',
        b: '3',
      })
      expect(
        await client.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { labelSelector: 'x=y' }),
      ).toMatchObject([{ kind: 'ConfigMap', data: { a: '2', b: '3' } }])
      await client.delete(reference)
      expect(await client.find(reference)).toBeUndefined()
    }))

  it('reports the message of a rejected request', () =>
    withCluster({}, async ({ client, as }) => {
      const failure = await client.get(prices).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ApiFailure)
      expect(failure).toMatchObject({
        code: 404,
        reason: 'NotFound',
        message: 'configmaps "prices" not found',
      })
      await expect(client.create({ apiVersion: 'x/v1', kind: 'X' })).rejects.toThrow(
        'no matches for kind "X" in version "x/v1"',
      )
      expect(as).toBeTypeOf('function')
    }))

  it('lets other users do what their roles allow', () =>
    withCluster({ objects: SHOP }, async (cluster) => {
      const bob = cluster.as({ name: 'bob', groups: ['shopkeepers'] })
      await expect(bob.get(prices)).rejects.toThrow('User "bob" cannot get resource "configmaps"')
      await cluster.load([
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'reader', namespace: 'shop' },
          rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: 'viewers', namespace: 'shop' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'shopkeepers' }],
        },
      ])
      expect((await bob.get(prices)).data).toEqual({ apple: '3' })
    }))

  it('watches until it is left', () =>
    withCluster({ objects: SHOP }, async ({ client }) => {
      const seen: string[] = []
      for await (const { type, object } of client.watch(prices)) {
        seen.push(`${type} ${JSON.stringify(object.data)}`)
        if (seen.length === 2) break
        await client.patch(prices, { data: { apple: '4' } })
      }
      expect(seen).toEqual(['ADDED {"apple":"3"}', 'MODIFIED {"apple":"4"}'])
    }))

  it('runs controllers and nodes, in a time that only tests move', () =>
    withCluster(
      { objects: SHOP, controllers: ['*'], scheduler: true, nodes: 2 },
      async (cluster) => {
        const before = cluster.clock.now()
        await cluster.clock.advance(60_000)
        expect(cluster.clock.now().getTime() - before.getTime()).toBe(60_000)
        expect((await cluster.client.get(web)).status).toMatchObject({ readyReplicas: 2 })
      },
    ))

  it('goes back to a snapshot, and to its beginning', () =>
    withCluster({ objects: SHOP }, async (cluster) => {
      const { client } = cluster
      const { metadata } = await client.patch(prices, { data: { apple: '5' } })
      const snapshot = await cluster.snapshot()
      await client.delete(prices)
      await cluster.restore(snapshot)
      expect(await client.get(prices)).toMatchObject({
        metadata: { uid: metadata?.uid, resourceVersion: metadata?.resourceVersion },
        data: { apple: '5' },
      })
      await cluster.reset()
      expect((await client.get(prices)).data).toEqual({ apple: '3' })
      expect(cluster.requests).toHaveLength(1)
      const prices5 = snapshot.objects.find(
        (object: ApiObject) => object.metadata?.name === 'prices',
      )
      expect(prices5).toMatchObject({ data: { apple: '5' } })
      await withCluster({}, async (other) => {
        await expect(other.restore(snapshot)).rejects.toThrow('restored by the server that made it')
      })
    }))

  it('is the same each time', async () => {
    const run = () =>
      withCluster({ objects: SHOP, seed: 7 }, async ({ client }) =>
        JSON.stringify(
          await client.create({
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { generateName: 'p-' },
            spec: { containers: [{ name: 'c', image: 'i' }] },
          }),
        ),
      )
    expect(await run()).toBe(await run())
  })

  it('names the document that is not an object, and the object that is rejected', async () => {
    await expect(createTestServer({ objects: 'a: [' })).rejects.toThrow('document 1: ')
    await expect(createTestServer({ objects: 'apiVersion: v1' })).rejects.toThrow(
      'document 1 is not an object',
    )
    await expect(
      createTestServer({
        objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'A' } }],
      }),
    ).rejects.toThrow('metadata.name: Invalid value')
  })
})

describe('the server alone', () => {
  it('serves requests of the configured users', async () => {
    const server = createApiServer({ tokens: 'secret,admin,,"system:masters"', release: '1.29' })
    const sendRequest = (token: string) =>
      server.fetch(
        new Request('http://cluster/version', { headers: { authorization: `Bearer ${token}` } }),
      )
    expect(await (await sendRequest('secret')).json()).toMatchObject({ minor: '29' })
    expect((await sendRequest('other')).status).toBe(401)
    await server.close()
    const unknown = '9.9' as KubernetesRelease
    expect(() => createApiServer({ release: unknown })).toThrow('9.9')
  })

  it('serves the newest release by default, and rejects options when it is created', async () => {
    const server = createApiServer({ tokens: 'secret,admin,,"system:masters"' })
    const response = await server.fetch(
      new Request('http://cluster/version', { headers: { authorization: 'Bearer secret' } }),
    )
    expect((await response.json()).gitVersion).toBe(identityOf(DEFAULT_RELEASE).git)
    await server.close()
    expect(() => createApiServer({ enableAdmissionPlugins: ['Unknown'] })).toThrow('Unknown')
  })

  it('has a type that names every release of the engine', () => {
    const releases: readonly KubernetesRelease[] = ALL_RELEASES
    expect(releases).toContain(DEFAULT_RELEASE satisfies KubernetesRelease)
  })

  it.each(['1.31', '1.34', '1.37'] as const)('serves release %s', async (release) => {
    const server = createApiServer({ tokens: 'secret,admin,,"system:masters"', release })
    const read = (path: string) =>
      server.fetch(
        new Request(`http://cluster${path}`, { headers: { authorization: 'Bearer secret' } }),
      )
    expect((await (await read('/version')).json()).gitVersion).toMatch(`v${release}.`)
    await server.close()
    const cluster = await createTestServer({ release })
    expect(await cluster.client.list({ apiVersion: 'v1', kind: 'Namespace' })).not.toEqual([])
    await cluster.close()
  })
})

describe('a cluster for all tests of a file', () => {
  const cluster = sharedTestServer({ beforeEach, afterAll }, { objects: SHOP })

  it.each([1, 2])('is at its beginning before each of them (%i)', async () => {
    expect((await cluster().client.get(prices)).data).toEqual({ apple: '3' })
    await cluster().client.delete(prices)
  })
})

describe('a fixture', () => {
  const test = base.extend<{ cluster: TestServer }>({
    cluster: testServerFixture({ objects: SHOP }),
  })

  test('gives each test a cluster of its own', async ({ cluster }) => {
    expect((await cluster.client.get(prices)).data).toEqual({ apple: '3' })
  })
})
