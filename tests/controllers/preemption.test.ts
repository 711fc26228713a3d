/** Which pods the scheduler evicts for a pod of higher priority. */
import { describe, expect, it } from 'vitest'
import {
  cluster,
  get,
  PODS,
  pod,
  requesting,
  setUpEachTest,
  whyNot,
  withNodes,
  withPriorities,
} from './scheduling-cluster'

setUpEachTest()

describe('preemption', () => {
  it('evicts few pods of low priority, preferably without a budget', async () => {
    await withNodes({ name: 'n', cpu: '3' })
    await withPriorities({ low: 1, middle: 5, high: 10 })
    await pod('guarded', requesting('1', { priorityClassName: 'low' }), { app: 'guarded' })
    await pod('spare', requesting('1', { priorityClassName: 'low' }), { app: 'spare' })
    await pod('better', requesting('1', { priorityClassName: 'middle' }), { app: 'better' })
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } }
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b' },
      spec,
    }
    await cluster.sendRequest({
      method: 'POST',
      path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
      body: budget,
    })
    await pod('vip', requesting('1', { priorityClassName: 'high' }), { app: 'vip' })
    const going = async (name: string) => Boolean((await get(name)).metadata.deletionTimestamp)
    expect([await going('guarded'), await going('spare'), await going('better')]).toEqual([
      false,
      true,
      false,
    ])
    expect((await get('vip')).status.nominatedNodeName).toBe('n')
  })

  it('respects the remaining disruptions of a budget for each pod', async () => {
    await withNodes({ name: 'a', cpu: '2' }, { name: 'b', cpu: '2' })
    await withPriorities({ high: 10 })
    const on = (name: string) => ({ nodeSelector: { 'kubernetes.io/hostname': name } })
    // A budget allows one disruption of the two pods on node a. The pods on node b have no budget.
    for (const name of ['one', 'two']) await pod(name, requesting('1', on('a')), { app: 'pair' })
    await pod('three', requesting('1', on('b')), { app: 'free' })
    await pod('four', requesting('1', on('b')), { app: 'free' })
    const spec = { minAvailable: 0, selector: { matchLabels: { app: 'pair' } } }
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'p' },
      spec,
    }
    const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
    await cluster.sendRequest({ method: 'POST', path: BUDGETS, body: budget })
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${BUDGETS}/p/status`,
      body: { status: { disruptionsAllowed: 1 } },
      headers,
    })
    await pod('vip', requesting('2', { priorityClassName: 'high' }), { app: 'vip' })
    expect((await get('vip')).status.nominatedNodeName).toBe('b')
  })

  it('yields the nominated node to a pod of higher priority', async () => {
    await withNodes({ name: 'n', cpu: '1' })
    await withPriorities({ middle: 5, high: 10 })
    const nominated = async (name: string) => (await get(name)).status.nominatedNodeName
    await pod('low', requesting('1'))
    await pod('middle', requesting('1', { priorityClassName: 'middle' }))
    expect(await nominated('middle')).toBe('n')
    await pod('high', requesting('1', { priorityClassName: 'high' }))
    expect([await nominated('high'), await nominated('middle')]).toEqual(['n', undefined])
  })

  it('clears nominatedNodeName when the node no longer fits', async () => {
    await withNodes({ name: 'n', cpu: '1' })
    await withPriorities({ middle: 5, high: 10 })
    await pod('low', requesting('1'))
    await pod('middle', requesting('1', { priorityClassName: 'middle' }))
    await pod('high', { ...requesting('1', { priorityClassName: 'high' }), nodeName: 'n' })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const path = `${PODS}/low`
    await cluster.sendRequest({
      method: 'DELETE',
      path,
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    })
    await cluster.sendRequest({
      method: 'PATCH',
      path: '/api/v1/nodes/n',
      body: { metadata: { labels: { seen: 'again' } } },
      headers,
    })
    await cluster.pass(15)
    expect((await get('middle')).status.nominatedNodeName).toBeUndefined()
  })

  it('is off with preemptionPolicy Never', async () => {
    await withNodes({ name: 'n', cpu: '1' })
    const body = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'polite' },
      value: 9,
      preemptionPolicy: 'Never',
    }
    await cluster.sendRequest({
      method: 'POST',
      path: '/apis/scheduling.k8s.io/v1/priorityclasses',
      body,
    })
    await pod('here', requesting('1'))
    await pod('polite', requesting('1', { priorityClassName: 'polite' }))
    expect(await whyNot('polite')).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.',
    )
  })
})
