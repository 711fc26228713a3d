/** Eviction of pods by NoExecute taints, and its events. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const PODS = '/api/v1/namespaces/default/pods'
const NODE = '/api/v1/nodes/one'

let cluster: Cluster
afterEach(() => cluster.close())

const create = async (path: string, body: object) => {
  const response = await cluster.sendRequest({ method: 'POST', path, body })
  expect(response.status, response.text).toBe(201)
}
const merge = (path: string, body: object) =>
  cluster.sendRequest({
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
/** Sets the taints of a node to these keys. */
const taint = (...keys: string[]) =>
  merge(NODE, { spec: { taints: keys.map((key) => ({ key, effect: 'NoExecute' })) } })
const remains = (key: string, tolerationSeconds?: number) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
})
const isThere = async (name: string) => {
  const { status, json } = await cluster.sendRequest({ path: `${PODS}/${name}` })
  return status === 200 && json.metadata.deletionTimestamp === undefined
}
async function events(): Promise<string[]> {
  const { json } = await cluster.sendRequest({
    path: '/api/v1/namespaces/default/events?fieldSelector=reason%3DTaintManagerEviction',
  })
  return json.items.map(({ message }: { message: string }) => message)
}
/** A pod on a node, with only the tested controller running. */
const withPod = async (...tolerations: object[]) => {
  cluster = await testCluster({
    controllers: ['taint-eviction-controller', 'serviceaccount-controller'],
  })
  await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } })
  const spec = { nodeName: 'one', tolerations, containers: [{ name: 'c', image: 'img:1' }] }
  await create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec })
}

describe('a pod on a tainted node', () => {
  it('restarts tolerationSeconds when a tolerated taint is added again', async () => {
    await withPod(remains('a'), remains('b', 60))
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

  it('keeps its eviction time when a taint with a shorter toleration is added', async () => {
    await withPod(remains('a', 100), remains('b', 5))
    await taint('a')
    await cluster.pass(10)
    await taint('a', 'b')
    await cluster.pass(80)
    expect(await isThere('p')).toBe(true)
    await cluster.pass(11)
    expect(await isThere('p')).toBe(false)
  })

  it('is evicted at once by an untolerated taint', async () => {
    await withPod(remains('a', 100))
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

  it('has events that refer to it by name only', async () => {
    await withPod()
    await taint('a')
    const { json } = await cluster.sendRequest({ path: '/api/v1/namespaces/default/events' })
    expect(
      json.items.map(({ involvedObject }: { involvedObject: object }) => involvedObject),
    ).toEqual([{ kind: 'Pod', apiVersion: 'v1', namespace: 'default', name: 'p' }])
  })
})
