/** The picture of a workload shows the state, owner and node of each pod. */
import { afterEach, describe, expect, it } from 'vitest'
import { breakagesOf, firstTargets } from '../../src/app/features/cluster/breakages'
import { type Picture, pictureOf } from '../../src/app/features/cluster/picture'
import type { KubeObject } from '../../src/engine/core/object'
import { type Cluster, deployment, testCluster } from '../support/cluster'

let cluster: Cluster
afterEach(() => cluster.close())

const APPS = '/apis/apps/v1'
const PATHS = [
  '/api/v1/nodes',
  '/api/v1/pods',
  `${APPS}/deployments`,
  `${APPS}/replicasets`,
  `${APPS}/statefulsets`,
]

async function picture(): Promise<Picture> {
  const lists = await Promise.all(
    PATHS.map(async (path) => (await cluster.sendRequest({ path })).json),
  )
  return pictureOf(
    lists.flatMap(({ apiVersion, kind, items }) =>
      items.map((item: KubeObject) => ({ ...item, apiVersion, kind: kind.replace('List', '') })),
    ),
  )
}
const states = ({ nodes, waiting }: Picture) =>
  [...waiting, ...nodes.flatMap(({ pods }) => pods)].map(({ state }) => state).sort()
const merge = (path: string, body: object, type = 'merge-patch') =>
  cluster.sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': `application/${type}+json` },
  })

async function running(): Promise<void> {
  cluster = await testCluster({ scheduler: true, nodes: 2 })
  await cluster.pass(1)
  await cluster.sendRequest({
    method: 'POST',
    path: `${APPS}/namespaces/default/deployments`,
    body: deployment('web', 3),
  })
}

describe('a rollout', () => {
  it('is seen from pods that wait to pods that are ready, in sets of one template each', async () => {
    await running()
    expect(states(await picture())).toEqual(['starting', 'starting', 'starting'])
    await cluster.pass(2)
    expect(states(await picture())).toEqual(['ready', 'ready', 'ready'])
    await merge(`${APPS}/namespaces/default/deployments/web`, {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'img:missing' }] } } },
    })
    await cluster.pass(3)
    const { workloads } = await picture()
    expect(workloads).toHaveLength(1)
    expect(
      workloads[0]?.sets.map(({ title, newest, pods, images }) => [
        title,
        newest,
        pods.length,
        images,
      ]),
    ).toEqual([
      ['revision 2', true, 1, ['img:missing']],
      ['revision 1', false, 3, ['img:1']],
    ])
    expect(states(await picture())).toEqual(['no image', 'ready', 'ready', 'ready'])
  })
})

describe('breaking something', () => {
  async function doIt(title: RegExp): Promise<void> {
    const now = await picture()
    const quotas = (await cluster.sendRequest({ path: '/api/v1/resourcequotas' })).json.items.map(
      ({ metadata }: KubeObject) => `${metadata.namespace}/${metadata.name}`,
    )
    const container = { name: 'c', image: now.workloads[0]?.sets[0]?.images[0] ?? '' }
    const found = breakagesOf({ ...firstTargets(now), container, quotas }).find((breakage) =>
      title.test(breakage.title),
    )
    expect(found?.title).toMatch(title)
    for (const { method, path, body, contentType } of found?.requests ?? []) {
      const response = await cluster.sendRequest({
        method,
        path,
        body,
        ...(contentType && { headers: { 'content-type': contentType } }),
      })
      expect(response.status).toBeLessThan(300)
    }
  }

  it('kills a pod, and another comes', async () => {
    await running()
    await cluster.pass(3)
    await doIt(/^Delete the pod/)
    expect(states(await picture())).toContain('ending')
    await cluster.pass(5)
    expect(states(await picture())).toEqual(['ready', 'ready', 'ready'])
  })

  it('cordons and fails a node, and mends both', async () => {
    await running()
    await cluster.pass(3)
    await doIt(/^Cordon/)
    expect((await picture()).nodes.filter(({ cordoned }) => cordoned)).toHaveLength(1)
    await doIt(/^Uncordon/)
    await doIt(/^Fail/)
    expect((await picture()).nodes.map(({ state }) => state).sort()).toEqual(['failed', 'ready'])
    await doIt(/^Recover /)
    expect((await picture()).nodes.every(({ state }) => state === 'ready')).toBe(true)
  })

  it('corrupts an image, and gives a good one again', async () => {
    await running()
    await cluster.pass(3)
    await doIt(/^Break the image/)
    await cluster.pass(5)
    expect(states(await picture())).toContain('no image')
    await doIt(/^Fix the image of web/)
    await cluster.pass(30)
    expect(states(await picture())).toEqual(['ready', 'ready', 'ready'])
  })

  it('fills a quota, so that no pod can be made until it is freed', async () => {
    await running()
    await cluster.pass(3)
    await doIt(/^Exhaust the quota/)
    await doIt(/^Delete the pod/)
    await cluster.pass(10)
    expect(states(await picture())).toEqual(['ready', 'ready'])
    expect((await picture()).workloads[0]?.status).toContain('forbidden')
    await doIt(/^Remove the quota/)
    await cluster.pass(2000)
    expect(states(await picture())).toEqual(['ready', 'ready', 'ready'])
  })
})
