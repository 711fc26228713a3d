/** Distribution of endpoints among EndpointSlices, and their addresses. */
import type { Endpoint, EndpointSlice } from 'kubernetes-types/discovery/v1'
import { afterEach, describe, expect, it } from 'vitest'
import { reconcileSlices } from '../../src/engine/controllers/endpoint-slices/reconcile'
import type { Client } from '../../src/engine/controllers/runtime/client'
import type { Stored } from '../../src/engine/controllers/runtime/stored'
import { type Cluster, testCluster } from '../support/cluster'

const CORE = '/api/v1/namespaces/default'
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'

let cluster: Cluster | undefined
afterEach(() => cluster?.close())

describe('EndpointSlices', () => {
  const PORTS = [{ name: '', port: 80, protocol: 'TCP', appProtocol: undefined }]
  const endpoint = (i: number): Endpoint =>
    ({ addresses: [`10.0.${i >> 8}.${i & 255}`], targetRef: { uid: String(i) } }) as Endpoint
  const range = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => endpoint(from + i))
  const slice = (name: string, endpoints: Endpoint[]): Stored<EndpointSlice> => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, labels: {} },
    addressType: 'IPv4',
    ports: [{ name: '', port: 80, protocol: 'TCP' }],
    endpoints,
  })
  /** @returns the number of endpoints per written slice, by name; `new` for created slices */
  async function written(
    present: Stored<EndpointSlice>[],
    endpoints: Endpoint[],
  ): Promise<string[]> {
    const writes: string[] = []
    const note = (object: object) => {
      const { metadata, endpoints: own } = object as Stored<EndpointSlice>
      writes.push(`${metadata.name ?? 'new'} ${own?.length ?? 0}`)
      return Promise.resolve(object)
    }
    const client = {
      create: note,
      update: note,
      delete: () => Promise.resolve(),
    } as unknown as Client
    const owner = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } }
    const plan = {
      client,
      owner,
      labels: {},
      addressType: 'IPv4',
      maximum: 100,
      annotationsOf: () => undefined,
      placeholder: true,
    }
    await reconcileSlices(plan, [{ ports: PORTS, endpoints }], present)
    return writes.sort()
  }

  it('without changes take the rest if one has room, fullest first', async () => {
    const present = [
      slice('a', range(0, 60)),
      slice('b', range(60, 130)),
      slice('c', range(130, 220)),
    ]
    expect(await written(present, range(0, 245))).toEqual(['b 95'])
    // A hundred fill a new slice. The rest fits in no existing slice.
    expect(await written(present, range(0, 370))).toEqual(['new 100', 'new 50'])
  })

  it('with changes are filled first', async () => {
    const present = [slice('a', range(0, 20)), slice('b', range(20, 60)), slice('c', range(60, 90))]
    const without = [...range(1, 20), ...range(21, 60)]
    expect(await written(present, [...without, ...range(60, 90), ...range(500, 530)])).toEqual([
      'a 19',
      'b 69',
    ])
    expect(await written(present, [...without, ...range(60, 90), ...range(500, 650)])).toEqual([
      'a 100',
      'b 100',
      'c 38',
    ])
  })
})

const create = async (path: string, body: object) => {
  const response = await (cluster as Cluster).sendRequest({ method: 'POST', path, body })
  expect(response.status, response.text).toBe(201)
}
const merge = (path: string, body: object) =>
  (cluster as Cluster).sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })

it('endpoints use the first IP family of the Service, in any order of podIPs', async () => {
  cluster = await testCluster()
  await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } })
  await create(`${CORE}/services`, {
    metadata: { name: 's' },
    spec: { selector: { app: 'x' }, ports: [{ port: 80 }] },
  })
  const spec = {
    nodeName: 'one',
    containers: [{ name: 'c', image: 'img:1' }],
    tolerations: [{ operator: 'Exists' }],
  }
  await create(`${CORE}/pods`, { metadata: { name: 'p', labels: { app: 'x' } }, spec })
  const [podIP, other] = ['fd00::7', '10.9.8.7']
  await merge(`${CORE}/pods/p/status`, {
    status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }, { ip: other }] },
  })
  await cluster.pass(1)
  const { json } = await cluster.sendRequest({ path: `${CORE}/endpoints/s` })
  expect(json.subsets[0].notReadyAddresses).toMatchObject([{ ip: other }])
})

it('ports of a slice are ordered by their hashes', async () => {
  cluster = await testCluster()
  await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } })
  const ports = [
    { name: 'd', protocol: 'UDP', port: 53 },
    { name: 't', port: 80 },
  ]
  await create(`${CORE}/services`, {
    metadata: { name: 's' },
    spec: { selector: { app: 'x' }, ports },
  })
  const spec = {
    nodeName: 'one',
    containers: [{ name: 'c', image: 'img:1' }],
    tolerations: [{ operator: 'Exists' }],
  }
  await create(`${CORE}/pods`, { metadata: { name: 'p', labels: { app: 'x' } }, spec })
  await merge(`${CORE}/pods/p/status`, {
    status: { phase: 'Running', podIP: '10.9.8.7', podIPs: [{ ip: '10.9.8.7' }] },
  })
  await cluster.pass(1)
  const { json } = await cluster.sendRequest({ path: SLICES })
  expect(json.items[0].ports.map(({ name }: { name: string }) => name)).toEqual(['t', 'd'])
})

it('a ready endpoint has topology hints, without a zone where none is known', async () => {
  cluster = await testCluster()
  await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } })
  const service = {
    selector: { app: 'x' },
    ports: [{ port: 80 }],
    trafficDistribution: 'PreferClose',
  }
  await create(`${CORE}/services`, { metadata: { name: 's' }, spec: service })
  const spec = {
    nodeName: 'one',
    containers: [{ name: 'c', image: 'img:1' }],
    tolerations: [{ operator: 'Exists' }],
  }
  await create(`${CORE}/pods`, { metadata: { name: 'p', labels: { app: 'x' } }, spec })
  const conditions = [{ type: 'Ready', status: 'True' }]
  await merge(`${CORE}/pods/p/status`, {
    status: { phase: 'Running', podIP: '10.9.8.7', podIPs: [{ ip: '10.9.8.7' }], conditions },
  })
  await cluster.pass(1)
  const { json } = await cluster.sendRequest({ path: SLICES })
  expect(json.items[0].endpoints[0].hints).toEqual({ forZones: [{ name: '' }] })
})

it('events about endpoints that cannot be created are in the default namespace', async () => {
  cluster = await testCluster()
  await create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop' },
  })
  await cluster.pass(1)
  const shop = '/api/v1/namespaces/shop'
  await create(`${shop}/pods`, {
    metadata: { name: 'p', labels: { app: 'x' } },
    spec: { containers: [{ name: 'c', image: 'img:1' }] },
  })
  await merge(`${shop}/pods/p/status`, {
    status: { phase: 'Running', podIP: '10.9.8.7', podIPs: [{ ip: '10.9.8.7' }] },
  })
  await create(`${shop}/services`, {
    metadata: { name: 's' },
    spec: { selector: { app: 'x' }, ports: [{ port: 80 }] },
  })
  await cluster.pass(1)
  const { json } = await cluster.sendRequest({ path: `${CORE}/events` })
  const reported = json.items.filter(
    ({ reason }: { reason: string }) => reason === 'FailedToCreateEndpoint',
  )
  expect(reported).toMatchObject([{ involvedObject: { kind: 'Endpoints', name: 's' } }])
})

it('annotations of Endpoints are copied to mirrored slices', async () => {
  cluster = await testCluster()
  await create(`${CORE}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } })
  await create(`${CORE}/endpoints`, {
    metadata: { name: 's' },
    subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80 }] }],
  })
  await cluster.pass(1)
  await merge(`${CORE}/endpoints/s`, { metadata: { annotations: { reported: 'yes' } } })
  await cluster.pass(1)
  const { json } = await cluster.sendRequest({ path: SLICES })
  expect(json.items).toHaveLength(1)
  expect(json.items[0].metadata.annotations).toEqual({ reported: 'yes' })
})

it('a slice whose deletion is blocked by a finalizer is replaced', async () => {
  cluster = await testCluster()
  await create(`${CORE}/services`, {
    metadata: { name: 's' },
    spec: { selector: { app: 'x' }, ports: [{ port: 80 }] },
  })
  await cluster.pass(1)
  const slices = async (): Promise<{ metadata: { name: string; deletionTimestamp?: string } }[]> =>
    (await (cluster as Cluster).sendRequest({ path: SLICES })).json.items
  const [first] = await slices()
  await merge(`${SLICES}/${first?.metadata.name}`, {
    metadata: { finalizers: ['example.com/held'] },
  })
  await cluster.sendRequest({ method: 'DELETE', path: `${SLICES}/${first?.metadata.name}` })
  await cluster.pass(1)
  expect((await slices()).filter(({ metadata }) => !metadata.deletionTimestamp)).toHaveLength(1)
})

it('a thousand addresses per subset are mirrored, ready ones first', async () => {
  cluster = await testCluster()
  await create(`${CORE}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } })
  const addresses = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ ip: `10.${from}.${i >> 8}.${i & 255}` }))
  const subset = {
    addresses: addresses(1, 900),
    notReadyAddresses: addresses(2, 203),
    ports: [{ port: 80 }],
  }
  await create(`${CORE}/endpoints`, { metadata: { name: 's' }, subsets: [subset] })
  await cluster.pass(1)
  const { items } = (await cluster.sendRequest({ path: SLICES })).json
  expect(items.map(({ endpoints }: { endpoints: unknown[] }) => endpoints.length)).toEqual([1000])
  const ready = items[0].endpoints.filter(
    ({ conditions }: { conditions: { ready: boolean } }) => conditions.ready,
  )
  expect(ready).toHaveLength(900)
  const { json } = await cluster.sendRequest({
    path: `${CORE}/events?fieldSelector=reason%3DTooManyAddressesToMirror`,
  })
  const message =
    'A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 103 addresses were skipped'
  expect(json.items[0]).toMatchObject({
    type: 'Warning',
    message,
    involvedObject: { kind: 'Endpoints', name: 's' },
  })
})

it('a force-deleted pod shows as terminating before it is removed', async () => {
  cluster = await testCluster({ defer: (run) => void setImmediate(run) })
  await create('/api/v1/nodes', { metadata: { name: 'n' } })
  await create(`${CORE}/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  })
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'img:1' }] }
  await create(`${CORE}/pods`, { metadata: { name: 'p', labels: { app: 'web' } }, spec })
  const status = {
    phase: 'Running',
    podIP: '10.1.0.1',
    podIPs: [{ ip: '10.1.0.1' }],
    conditions: [{ type: 'Ready', status: 'True' }],
  }
  await merge(`${CORE}/pods/p/status`, { status })
  await cluster.pass(1)
  const generation = async () =>
    (await (cluster as Cluster).sendRequest({ path: SLICES })).json.items[0].metadata.generation
  const before = await generation()
  await cluster.sendRequest({
    method: 'DELETE',
    path: `${CORE}/pods/p`,
    body: { gracePeriodSeconds: 0 },
  })
  await cluster.pass(1)
  expect(await generation()).toBe(before + 2)
})
