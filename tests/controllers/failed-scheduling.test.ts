/** How the scheduler reports a pod that fits on no node. */
import { describe, expect, it } from 'vitest'
import {
  cluster,
  nodeOf,
  PODS,
  pod,
  requesting,
  setUpEachTest,
  withNodes,
  withSimulatedNode,
} from './scheduling-cluster'

setUpEachTest()

describe('the FailedScheduling report of a pod', () => {
  const query = 'fieldSelector=reason=FailedScheduling'
  const output = async () =>
    (
      await cluster.sendRequest({
        path: `/apis/events.k8s.io/v1/namespaces/default/events?${query}`,
      })
    ).json.items
  const series = async () =>
    (await output()).map(({ series: own }: { series?: { count: number } }) => own?.count)
  let number = 0
  const tryAgain = async () => {
    // A deletion on the node may free capacity.
    const path = `${PODS}/gone-${number++}`
    await pod(path.slice(PODS.length + 1), {
      containers: [{ name: 'c', image: 'img:1' }],
      nodeName: 'node-1',
    })
    await cluster.sendRequest({
      method: 'DELETE',
      path,
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    })
    await cluster.pass(11)
  }

  async function nowhere(): Promise<void> {
    await withSimulatedNode()
    await cluster.pass(1)
    await pod('a', requesting('20'))
  }

  it('is one event per revision of the pod, and a series when it repeats', async () => {
    await nowhere()
    await tryAgain()
    expect(await series()).toEqual([undefined, undefined])
    await tryAgain()
    expect(await series()).toEqual([undefined, 2])
    await tryAgain()
    await tryAgain()
    expect(await series()).toEqual([undefined, 2])
    const [first, second] = await output()
    expect(first.regarding.resourceVersion).not.toBe(second.regarding.resourceVersion)
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${PODS}/a`,
      body: { metadata: { labels: { other: 'now' } } },
      headers,
    })
    await cluster.pass(360)
    expect(await series()).toEqual([undefined, 4, 2])
  })

  it('is repeated every half hour', async () => {
    await nowhere()
    await cluster.pass(2 * 300)
    expect(await series()).toEqual([undefined, 2])
    await cluster.pass(5 * 300)
    expect(await series()).toEqual([undefined, 2])
    await cluster.pass(300)
    expect(await series()).toEqual([undefined, 8])
  })

  it('is not repeated for changes of volumes', async () => {
    await withNodes({ name: 'a' })
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/namespaces/default/persistentvolumeclaims',
      body: claim,
    })
    await pod('p', {
      containers: [{ name: 'c', image: 'img:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    })
    const volume = (name: string, storage: string) => ({
      metadata: { name },
      spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    })
    for (let i = 0; i < 10; i++) {
      await cluster.sendRequest({
        method: 'POST',
        path: '/api/v1/persistentvolumes',
        body: volume(`small-${i}`, '1Mi'),
      })
      await cluster.pass(0.01)
    }
    await cluster.pass(0.5)
    expect(await series()).toEqual([undefined])
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/persistentvolumes',
      body: volume('right', '2Gi'),
    })
    await cluster.pass(20)
    expect(await nodeOf('p')).toBe('a')
  })
})
