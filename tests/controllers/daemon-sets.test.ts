/** Rolling updates of a DaemonSet with failures. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, podTemplate, testCluster } from '../support/cluster'

const SETS = '/apis/apps/v1/namespaces/default/daemonsets'
const CORE = '/api/v1/namespaces/default'
const NEVER_READY = { 'simulation.kubetab/behavior': '- readyAfter: never' }

let cluster: Cluster
afterEach(() => cluster.close())

const running = async (nodes: number) => {
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
const daemons = (rollingUpdate: object, members: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    updateStrategy: { rollingUpdate },
    template: podTemplate('d'),
    ...members,
  },
})
const update = (image: string, annotations: object | null = null) =>
  patch(`${SETS}/d`, {
    spec: { template: { metadata: { annotations }, spec: { containers: [{ name: 'c', image }] } } },
  })

interface Seen {
  name: string
  image: string
  ready: boolean
  node: string
}
async function pods(): Promise<Seen[]> {
  const { items } = await get(`${CORE}/pods?labelSelector=app%3Dd`)
  // biome-ignore lint/suspicious/noExplicitAny: a test looks where it knows something to be
  return items.map(({ metadata, spec, status }: any) => ({
    name: metadata.name,
    image: spec.containers[0].image,
    ready: status.conditions?.some(
      ({ type, status: state }: { type: string; status: string }) =>
        type === 'Ready' && state === 'True',
    ),
    node: spec.nodeName,
  }))
}

describe('a DaemonSet', () => {
  it('reports its status when pods cannot be created', async () => {
    await running(2)
    await create(`${CORE}/resourcequotas`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { pods: '1' } },
    })
    await cluster.pass(1)
    await create(SETS, daemons({}))
    await cluster.pass(5)
    const { status } = await get(`${SETS}/d`)
    expect(status).toMatchObject({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 1,
      numberUnavailable: 1,
      observedGeneration: 1,
    })
  })

  it('replaces unavailable pods of a bad update first, within maxUnavailable', async () => {
    await running(3)
    await create(SETS, daemons({ maxUnavailable: 1 }))
    await cluster.pass(5)
    for (const image of ['img:2', 'img:3', 'img:4']) {
      await update(image, NEVER_READY)
      await cluster.pass(20)
      const seen = await pods()
      expect(seen.filter(({ ready }) => ready).map(({ image: own }) => own)).toEqual([
        'img:1',
        'img:1',
      ])
      expect(seen.filter(({ ready }) => !ready).map(({ image: own }) => own)).toEqual([image])
    }
  })

  it('with maxSurge deletes an old pod once it is not ready', async () => {
    await running(1)
    await create(SETS, daemons({ maxSurge: 1, maxUnavailable: 0 }))
    await cluster.pass(5)
    await update('img:2', NEVER_READY)
    await cluster.pass(10)
    expect((await pods()).map(({ image, ready }) => [image, ready]).sort()).toEqual([
      ['img:1', true],
      ['img:2', false],
    ])
    const old = (await pods()).find(({ image }) => image === 'img:1')
    await patch(`${CORE}/pods/${old?.name}`, { metadata: { annotations: NEVER_READY } })
    await cluster.pass(20)
    expect((await pods()).map(({ image }) => image)).toEqual(['img:2'])
  })

  it('deletes an old pod from a node that no longer matches after an update', async () => {
    await running(2)
    await create(SETS, daemons({ maxUnavailable: 1 }))
    await cluster.pass(5)
    await patch('/api/v1/nodes/node-1', {
      spec: { taints: [{ key: 'off', effect: 'NoSchedule' }] },
    })
    await cluster.pass(5)
    expect(await pods()).toHaveLength(2)
    await update('img:2')
    await cluster.pass(30)
    expect((await pods()).map(({ image, node }) => [image, node])).toEqual([['img:2', 'node-2']])
  })
})
