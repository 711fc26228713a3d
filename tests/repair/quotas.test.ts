import { describe, expect, it } from 'vitest'
import type { Cluster } from '../support/cluster'
import { configMap } from '../support/server'
import { expectRepairs, send } from './support'

const CORE = '/api/v1/namespaces/default'

const withQuota = (hard: Record<string, string>) => async (cluster: Cluster) => {
  await send(cluster, {
    method: 'POST',
    path: `${CORE}/resourcequotas`,
    body: { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team' }, spec: { hard } },
  })
  await cluster.pass(10)
}

const pod = (...resources: object[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    containers: resources.map((given, index) => ({
      name: `c${index}`,
      image: 'img',
      resources: given,
    })),
  },
})

describe('a quota', () => {
  it('is raised to what the request needs', async () => {
    const rejected = { method: 'POST', path: `${CORE}/configmaps`, body: configMap('a') }
    const [repair] = await expectRepairs(withQuota({ 'count/configmaps': '1' }), rejected, [
      'RaiseQuota',
    ])
    expect(repair?.writes.map(({ body }) => body)).toEqual([
      { spec: { hard: { 'count/configmaps': '2' } } },
    ])
  })

  it('is raised in all exceeded amounts', async () => {
    const body = pod({ requests: { cpu: '600m', memory: '1Gi' } })
    const rejected = { method: 'POST', path: `${CORE}/pods`, body }
    const hard = { 'requests.cpu': '500m', 'requests.memory': '512Mi', pods: '5' }
    const [repair] = await expectRepairs(withQuota(hard), rejected, ['RaiseQuota'])
    expect(repair?.writes[0]?.body).toEqual({
      spec: { hard: { 'requests.cpu': '600m', 'requests.memory': '1Gi' } },
    })
  })

  it('that requires amounts gets usual ones, within what is left', async () => {
    const rejected = { method: 'POST', path: `${CORE}/pods`, body: pod({}, {}) }
    const hard = { 'limits.cpu': '100m', 'requests.memory': '1Gi' }
    const [repair] = await expectRepairs(withQuota(hard), rejected, ['SetResources'])
    const at = (index: number) => ['spec', 'containers', index, 'resources']
    expect(repair?.edits).toEqual([
      { place: [...at(0), 'limits', 'cpu'], value: '50m' },
      { place: [...at(1), 'limits', 'cpu'], value: '50m' },
      { place: [...at(0), 'requests', 'memory'], value: '128Mi' },
      { place: [...at(1), 'requests', 'memory'], value: '128Mi' },
    ])
  })
})
