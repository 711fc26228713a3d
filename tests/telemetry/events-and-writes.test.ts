/** Metrics of stored events, issued certificates, elections, self-requests and definitions. */
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { prefixFinder } from '../../src/engine/server/event-counts'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { testCluster } from '../support/cluster'
import { readExposition } from '../support/exposition'
import { configMap, type RequestOptions, sendRequest, testServer } from '../support/server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** O=devs, CN=jane, with a P-256 key. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJHUmxkbk14RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVRLZFk0QVdkVFZNNkVWamt6TFh3SEhWeEx4S2NBNEM3KzJ2SHA3ClUycUFHYVZ4aXFVdTRDeXpheXV0azZsRVY5K2FkTmJTZi9rVWxCV1p6Sjc4b3Mrdm9BQXdDZ1lJS29aSXpqMEUKQXdJRFNBQXdSUUloQUtYdXU3OTFESkhjU1BYb2IvUGFTaHdxTmFIbkg4UWpaOHI5cGNhMDE3bFRBaUFwU1BIZgp0Tm9lN1pGZ2FMZWZpeUxRTmVHVjFYSXNLYUYwV0JvTzBLQXZ3QT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='

type Send = (request: RequestOptions) => Promise<{ status: number; text: string }>

async function samplesOf(send: Send, family: string) {
  const families = readExposition((await send({ path: '/metrics' })).text)
  return families.find(({ name }) => name === family)?.samples ?? []
}

/** The value of the series with these labels. */
async function valueIn(send: Send, family: string, labels: Record<string, string>) {
  const samples = await samplesOf(send, family)
  return samples.find((sample) =>
    Object.entries(labels).every(([name, value]) => sample.labels[name] === value),
  )?.value
}

describe('events of the store', () => {
  it('are counted by resource, with the revision of the last one', async () => {
    const server = testServer()
    const send: Send = (request) => sendRequest(server, request)
    await send({ path: '/readyz' })
    await send({ method: 'POST', path: CONFIG_MAPS, body: configMap('a') })
    const { json } = await sendRequest(server, {
      method: 'POST',
      path: CONFIG_MAPS,
      body: configMap('b'),
    })
    await send({ method: 'DELETE', path: `${CONFIG_MAPS}/a` })
    const labels = { resource: 'configmaps' }
    for (const family of [
      'apiserver_storage_events_received_total',
      'apiserver_watch_cache_events_received_total',
      'apiserver_watch_cache_events_dispatched_total',
    ])
      expect(await valueIn(send, family, labels)).toBe(3)
    const revision = await valueIn(send, 'apiserver_watch_cache_resource_version', labels)
    expect(revision).toBe(Number(json.metadata.resourceVersion) + 1)
    await server.close()
  })

  it.each([
    ['/registry/pods/default/a', '/registry/pods/'],
    ['/registry/services/specs/default/a', '/registry/services/specs/'],
    ['/registry/services/endpoints/default/a', '/registry/services/endpoints/'],
    ['/registry/example.com/widgets/default/a', '/registry/example.com/widgets/'],
    [
      '/registry/apiregistration.k8s.io/apiservices/v1.',
      '/registry/apiregistration.k8s.io/apiservices/',
    ],
  ])('%s belongs to %s', (key, prefix) => {
    const prefixOf = prefixFinder(['/registry/pods/', '/registry/services/specs/'])
    expect(prefixOf(key)).toBe(prefix)
  })
})

describe('certificates that are issued for a requested duration', () => {
  const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  const YEAR = 365 * 24 * 3600
  const { cert } = selfSignedCertificate('jane', Date.UTC(2026, 0, 1))

  it.each([
    ['count as honored with this duration', YEAR, 1, 1],
    ['count as honored up to 5 % from it', Math.round(YEAR / 0.96), 1, 1],
    ['count as requested with another', 3600, 1, undefined],
    ['do not count without one', undefined, undefined, undefined],
  ])('%s', async (_what, expirationSeconds, requested, honored) => {
    const server = testServer()
    const send: Send = (request) => sendRequest(server, request)
    const spec = {
      request: REQUEST,
      signerName: 'example.com/signer',
      usages: ['client auth'],
      ...(expirationSeconds && { expirationSeconds }),
    }
    await send({ method: 'POST', path: REQUESTS, body: { metadata: { name: 'jane' }, spec } })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const path = `${REQUESTS}/jane/status`
    const certificate = Buffer.from(cert).toString('base64')
    const issue = (query: string) =>
      send({ method: 'PATCH', path: path + query, headers, body: { status: { certificate } } })
    expect((await issue('?dryRun=All')).status).toBe(200)
    expect((await issue('')).status).toBe(200)
    expect((await issue('')).status).toBe(200)
    const labels = { signerName: 'other' }
    const family = (what: string) => `apiserver_certificates_registry_csr_${what}_duration_total`
    expect(await valueIn(send, family('requested'), labels)).toBe(requested)
    expect(await valueIn(send, family('honored'), labels)).toBe(honored)
    await server.close()
  })
})

it('a server that holds the lease of the controllers is the leader', async () => {
  const clock = new SimulatedClock(Date.UTC(2026, 0, 1))
  const server = testServer({ clock, controllers: ['*'], electionIdentity: 'one' })
  const send: Send = (request) => sendRequest(server, request)
  const settle = async () => {
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  const lease = { name: 'kube-controller-manager' }
  await send({ path: '/readyz' })
  await settle()
  expect(await valueIn(send, 'leader_election_master_status', lease)).toBe(1)
  for (let i = 0; i < 4; i++) {
    clock.advance(1000)
    await settle()
  }
  expect(await valueIn(send, 'leader_election_slowpath_total', lease)).toBe(2)
  await server.close()
})

it('watches of clients that do not read are terminated', async () => {
  const server = testServer()
  const send: Send = (request) => sendRequest(server, request)
  const watch = `${CONFIG_MAPS}?watch=true`
  const headers = { authorization: 'Bearer admin' }
  const { body } = await server.fetch(new Request(`http://localhost${watch}`, { headers }))
  const large = 'x'.repeat(1_000_000)
  for (let i = 0; i < 20; i++)
    await send({ method: 'POST', path: CONFIG_MAPS, body: configMap(`a${i}`, { large }) })
  const labels = { resource: 'configmaps' }
  expect(await valueIn(send, 'apiserver_terminated_watchers_total', labels)).toBe(1)
  await body?.cancel().catch(() => undefined)
  await server.close()
})

it('requests as the server itself are self-requests', async () => {
  const server = testServer()
  const send: Send = (request) => sendRequest(server, request)
  const headers = { 'impersonate-user': 'system:apiserver', 'impersonate-group': 'system:masters' }
  await send({ path: CONFIG_MAPS, headers })
  await send({ path: CONFIG_MAPS })
  expect(await samplesOf(send, 'apiserver_selfrequest_total')).toMatchObject([
    { labels: { verb: 'LIST', resource: 'configmaps', subresource: '' }, value: 1 },
  ])
  await server.close()
})

it('the search for a cluster IP is measured by its range', async () => {
  let now = 0
  const server = testServer({
    featureGates: { MultiCIDRServiceAllocator: true },
    stopwatch: () => (now += 1),
  })
  const send: Send = (request) => sendRequest(server, request)
  await send({
    method: 'POST',
    path: '/api/v1/namespaces/default/services',
    body: { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } },
  })
  const samples = await samplesOf(
    send,
    'kube_apiserver_clusterip_allocator_allocation_duration_seconds',
  )
  expect(samples.find(({ name }) => name.endsWith('_count'))?.value).toBeGreaterThan(0)
  await server.close()
})

it('documents of definitions have series, which stay at 0 as in kube-apiserver', async () => {
  const cluster = await testCluster({ controllers: [] })
  const send: Send = (request) => cluster.sendRequest(request)
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const schema = { openAPIV3Schema: { type: 'object' } }
  await send({
    method: 'POST',
    path,
    body: {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    },
  })
  await cluster.pass(1)
  await send({ method: 'DELETE', path: `${path}/widgets.example.com` })
  await cluster.pass(1)
  const reasonsOf = async (family: string) =>
    (await samplesOf(send, family)).map(({ labels, value }) => [labels.crd, labels.reason, value])
  for (const family of [
    'apiextensions_openapi_v2_regeneration_count',
    'apiextensions_openapi_v3_regeneration_count',
  ])
    expect(await reasonsOf(family)).toEqual(
      expect.arrayContaining([
        ['widgets.example.com', 'add', 0],
        ['widgets.example.com', 'remove', 0],
      ]),
    )
  await cluster.close()
})
