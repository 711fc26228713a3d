/** Leases of simulated nodes, which serve as heartbeats. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastRenewal } from '../../src/engine/controllers/simulated-nodes/leases'
import { type Cluster, testCluster } from '../support/cluster'

const NODE = '/api/v1/nodes/node-1'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
const LEASE = `${LEASES}/node-1`

let cluster: Cluster
beforeEach(async () => {
  cluster = await testCluster({ nodes: 2 })
  await cluster.pass(1)
})
afterEach(() => cluster.close())

const renewed = (lease: { spec: { renewTime: string } }): number => Date.parse(lease.spec.renewTime)
const leaseNow = async () => (await cluster.sendRequest({ path: LEASE })).json
const newest = (): number => cluster.server.storage.currentRevision()
const annotate = (state: string | null) =>
  cluster.sendRequest({
    method: 'PATCH',
    path: NODE,
    body: { metadata: { annotations: { 'simulation.kubetab/state': state } } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })

it('are owned by their nodes and deleted with them', async () => {
  const { name, uid } = (await cluster.sendRequest({ path: NODE })).json.metadata
  const { ownerReferences } = (await cluster.sendRequest({ path: LEASE })).json.metadata
  expect(ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Node', name, uid }])
  await cluster.sendRequest({ method: 'DELETE', path: NODE })
  await cluster.pass(7200)
  expect((await cluster.sendRequest({ path: LEASE })).status).toBe(404)
})

it('are recreated after deletion', async () => {
  await cluster.sendRequest({ method: 'DELETE', path: LEASE })
  await cluster.pass(11)
  expect((await leaseNow()).spec.holderIdentity).toBe('node-1')
})

it('are renewed every 10 seconds for readers, without writes otherwise', async () => {
  const first = await leaseNow()
  expect(first.spec.leaseDurationSeconds).toBe(40)
  const before = newest()
  await cluster.pass(995)
  expect(newest()).toBe(before)
  const now = await leaseNow()
  expect(renewed(now) - renewed(first)).toBe(990_000)
  expect(Number(now.metadata.resourceVersion)).toBeGreaterThan(before)
  expect((await leaseNow()).metadata.resourceVersion).toBe(now.metadata.resourceVersion)
  const { items } = (await cluster.sendRequest({ path: LEASES })).json
  expect(items.map(renewed)).toEqual([renewed(now), renewed(now)])
})

it('are not renewed by reads of other Leases', async () => {
  const before = newest()
  await cluster.pass(100)
  await cluster.sendRequest({ path: '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases' })
  await cluster.sendRequest({ path: `${LEASES}/else` })
  expect(newest()).toBe(before)
})

describe('with a watch', () => {
  it('are sent as they are renewed, until the watch ends', async () => {
    const first = renewed(await leaseNow())
    const events = (
      await cluster.server.handle(
        request(`${LEASES}?watch=true&fieldSelector=metadata.name=node-1`),
      )
    ).body
    const reported: { type: string; object: { spec: { renewTime: string } } }[] = []
    const { start } = events as { start(sink: object): () => void }
    const stop = start({
      write: (chunk: Uint8Array) => reported.push(JSON.parse(new TextDecoder().decode(chunk))),
      end() {},
      abort() {},
    })
    await cluster.pass(35)
    expect(reported.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED'])
    expect(reported.map(({ object }) => renewed(object) - first)).toEqual([
      0, 10_000, 20_000, 30_000,
    ])
    stop()
    await cluster.pass(10)
    const before = newest()
    await cluster.pass(1000)
    expect(newest()).toBe(before)
  })

  const request = (target: string) => ({
    method: 'GET',
    target,
    header: (name: string) => (name === 'authorization' ? 'Bearer admin' : undefined),
    headerNames: () => ['authorization'],
    body: async () => new Uint8Array(),
  })
})

it('of a failed node keep their last renewal until it recovers', async () => {
  const first = renewed(await leaseNow())
  await cluster.pass(25)
  await annotate('failed')
  await cluster.pass(300)
  expect(renewed(await leaseNow()) - first).toBe(20_000)
  await annotate(null)
  await cluster.pass(0)
  expect(renewed(await leaseNow()) - first).toBe(326_000)
})

it.each([
  ['2026-01-01T00:00:00.000000Z', 9_999, undefined],
  ['2026-01-01T00:00:00.000000Z', 10_000, 10_000],
  ['2026-01-01T00:00:00.000000Z', 39_000, 30_000],
  ['2027-01-01T00:00:00.000000Z', 39_000, 39_000],
  [null, 39_000, 39_000],
])('a lease renewed at %s shows, after %i ms, the renewal at %s', (renewTime, later, due) => {
  const begin = Date.parse('2026-01-01T00:00:00Z')
  const spec = { renewTime: renewTime as string }
  const expected = due === undefined ? undefined : begin + due
  expect(lastRenewal({ spec }, begin + later)).toBe(expected)
})
