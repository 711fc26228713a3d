import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, deployment, testCluster } from '../support/cluster'

const APPS = '/apis/apps/v1/namespaces/default'
const CORE = '/api/v1/namespaces/default'

let cluster: Cluster
afterEach(() => cluster.close())

const running = async (nodes = 1) => {
  cluster = await testCluster({ scheduler: true, nodes })
  await cluster.pass(1)
}
const get = async (path: string) => (await cluster.sendRequest({ path })).json
const create = (path: string, body: object) => cluster.sendRequest({ method: 'POST', path, body })
const patch = (path: string, body: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })

describe('a Service', () => {
  it('lists ready pods in its endpoints, and drops deleted ones', async () => {
    await running()
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    }
    await create(`${CORE}/services`, service)
    await create(`${APPS}/deployments`, deployment('web', 2))
    await cluster.pass(5)
    const addresses = async () =>
      (await get(`${CORE}/endpoints/web`)).subsets?.[0]?.addresses?.length ?? 0
    expect(await addresses()).toBe(2)
    await patch(`${APPS}/deployments/web`, { spec: { replicas: 1 } })
    await cluster.pass(5)
    expect(await addresses()).toBe(1)
  })
})

describe('the EndpointSlices of a Service', () => {
  it('have zone hints with trafficDistribution PreferClose', async () => {
    await running(2)
    const ZONE = 'topology.kubernetes.io/zone'
    for (const [node, zone] of [
      ['node-1', 'a'],
      ['node-2', 'b'],
    ])
      await patch(`/api/v1/nodes/${node}`, { metadata: { labels: { [ZONE]: zone } } })
    const spec = {
      selector: { app: 'web' },
      ports: [{ port: 80 }],
      trafficDistribution: 'PreferClose',
    }
    await create(`${CORE}/services`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec,
    })
    await create(`${APPS}/deployments`, deployment('web', 2))
    const hints = async () => {
      const [slice] = (
        await get(
          '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name%3Dweb',
        )
      ).items
      return slice.endpoints
        .map(({ zone, hints: own }: { zone: string; hints?: object }) => [zone, own])
        .sort()
    }
    await cluster.pass(0.5)
    expect(await hints()).toEqual([
      ['a', undefined],
      ['b', undefined],
    ])
    await cluster.pass(5)
    expect(await hints()).toEqual([
      ['a', { forZones: [{ name: 'a' }] }],
      ['b', { forZones: [{ name: 'b' }] }],
    ])
    await patch(`${CORE}/services/web`, {
      metadata: { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } },
    })
    expect((await hints())[0]).toEqual(['a', undefined])
  })
})
