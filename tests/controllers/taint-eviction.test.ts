/** When taints drive pods off their node, and what is told of it. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const PODS = '/api/v1/namespaces/default/pods'
const NODE = '/api/v1/nodes/one'

let cluster: Cluster
afterEach(() => cluster.close())

const create = async (path: string, body: object) => {
  const answer = await cluster.ask({ method: 'POST', path, body })
  expect(answer.status, answer.text).toBe(201)
}
const merge = (path: string, body: object) =>
  cluster.ask({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
/** Taints of those names, and no others. */
const taint = (...keys: string[]) =>
  merge(NODE, { spec: { taints: keys.map((key) => ({ key, effect: 'NoExecute' })) } })
const stands = (key: string, tolerationSeconds?: number) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
})
const isThere = async (name: string) => {
  const { status, json } = await cluster.ask({ path: `${PODS}/${name}` })
  return status === 200 && json.metadata.deletionTimestamp === undefined
}
async function events(): Promise<string[]> {
  const { json } = await cluster.ask({
    path: '/api/v1/namespaces/default/events?fieldSelector=reason%3DTaintManagerEviction',
  })
  return json.items.map(({ message }: { message: string }) => message)
}
/** A pod on a node that no controller cares for but the one that is tested. */
const withPod = async (...tolerations: object[]) => {
  cluster = await testCluster({
    controllers: ['taint-eviction-controller', 'serviceaccount-controller'],
  })
  await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } })
  const spec = { nodeName: 'one', tolerations, containers: [{ name: 'c', image: 'img:1' }] }
  await create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec })
}

describe('a pod on a tainted node', () => {
  it('begins to count anew when a taint that it stands for a while comes again', async () => {
    await withPod(stands('a'), stands('b', 60))
    await taint('a')
    expect(await events()).toEqual([])
    await taint('a', 'b')
    await cluster.pass(50)
    await taint('a')
    expect(await events()).toEqual(['Cancelling deletion of Pod default/p'])
    await taint('a', 'b')
    await cluster.pass(50)
    expect(await isThere('p')).toBe(true)
    await cluster.pass(11)
    expect(await isThere('p')).toBe(false)
  })

  it('goes when it was to go, though another taint came that it stands for a shorter time', async () => {
    await withPod(stands('a', 100), stands('b', 5))
    await taint('a')
    await cluster.pass(10)
    await taint('a', 'b')
    await cluster.pass(80)
    expect(await isThere('p')).toBe(true)
    await cluster.pass(11)
    expect(await isThere('p')).toBe(false)
  })

  it('goes at once when a taint comes that it does not stand, which ends what was planned', async () => {
    await withPod(stands('a', 100))
    await taint('a')
    await cluster.pass(10)
    await taint('a', 'b')
    await cluster.pass(1)
    expect(await isThere('p')).toBe(false)
    expect(await events()).toEqual([
      'Cancelling deletion of Pod default/p',
      'Marking for deletion Pod default/p',
    ])
  })

  it('is told of by name alone', async () => {
    await withPod()
    await taint('a')
    const { json } = await cluster.ask({ path: '/api/v1/namespaces/default/events' })
    expect(
      json.items.map(({ involvedObject }: { involvedObject: object }) => involvedObject),
    ).toEqual([{ kind: 'Pod', apiVersion: 'v1', namespace: 'default', name: 'p' }])
  })
})
