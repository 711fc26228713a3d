import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluatorOf } from '../../src/engine/admission/quota/usage'
import type { KubeObject } from '../../src/engine/core/object'
import { kubeObject } from '../support/json-objects'
import { testServer } from './server'

const QUOTAS = '/api/v1/namespaces/n/resourcequotas'

async function withQuota(hard: Record<string, string>, spec: Record<string, unknown> = {}) {
  const server = testServer()
  await server.namespace('n')
  const quota = { metadata: { name: 'q' }, spec: { hard, ...spec } }
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']))
  await server.send('POST', QUOTAS, quota)
  await server.send('PUT', `${QUOTAS}/q/status`, { ...quota, status: { hard, used } })
  const usedNow = async () => (await server.send('GET', `${QUOTAS}/q`)).body.status.used
  return { server, usedNow }
}

describe('quotas', () => {
  it('hold under concurrent creates', async () => {
    const { server, usedNow } = await withQuota({ configmaps: '3' })
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        server.send('POST', '/api/v1/namespaces/n/configmaps', { metadata: { name: `c${i}` } }),
      ),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await usedNow()).toEqual({ configmaps: '3' })
  })

  it('count any resource by count/<resource>.<group>', async () => {
    const { server } = await withQuota({ 'count/leases.coordination.k8s.io': '1' })
    const lease = (name: string) =>
      server.send('POST', '/apis/coordination.k8s.io/v1/namespaces/n/leases', {
        metadata: { name },
        spec: {},
      })
    expect((await lease('a')).status).toBe(201)
    expect((await lease('b')).body.message).toContain(
      'exceeded quota: q, requested: count/leases.coordination.k8s.io=1',
    )
  })

  it('charge an update for the difference', async () => {
    const { server, usedNow } = await withQuota({ 'services.nodeports': '2' })
    const ports = (...numbers: number[]) => numbers.map((port) => ({ port, name: `p${port}` }))
    const service = { metadata: { name: 's' }, spec: { type: 'NodePort', ports: ports(80) } }
    await server.send('POST', '/api/v1/namespaces/n/services', service)
    await server.send('PATCH', '/api/v1/namespaces/n/services/s', {
      spec: { ports: ports(80, 81) },
    })
    expect(await usedNow()).toEqual({ 'services.nodeports': '2' })
    expect(
      (
        await server.send('PATCH', '/api/v1/namespaces/n/services/s', {
          spec: { ports: ports(80, 81, 82) },
        })
      ).status,
    ).toBe(403)
  })

  it('return nothing on update, and never reject an update that uses less', async () => {
    const { server, usedNow } = await withQuota({
      services: '9',
      'services.nodeports': '3',
      'services.loadbalancers': '2',
    })
    const ports = [80, 81].map((port) => ({ port, name: `p${port}` }))
    const service = {
      metadata: { name: 's' },
      spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports },
    }
    await server.send('POST', '/api/v1/namespaces/n/services', service)
    expect(await usedNow()).toEqual({
      services: '1',
      'services.nodeports': '0',
      'services.loadbalancers': '1',
    })
    const patch = (spec: Record<string, unknown>) =>
      server.send('PATCH', '/api/v1/namespaces/n/services/s', { spec })
    expect((await patch({ type: 'NodePort', allocateLoadBalancerNodePorts: null })).status).toBe(
      200,
    )
    expect(await usedNow()).toEqual({
      services: '1',
      'services.nodeports': '2',
      'services.loadbalancers': '1',
    })
    const full = await server.send('GET', `${QUOTAS}/q`)
    await server.send('PUT', `${QUOTAS}/q/status`, {
      ...full.body,
      status: { ...full.body.status, hard: { 'services.nodeports': '0' } },
    })
    expect((await patch({ ports: ports.slice(0, 1) })).status).toBe(200)
    expect((await usedNow())?.['services.nodeports']).toBe('2')
  })

  it('charge claims in whole bytes, in total and by storage class', async () => {
    const byClass = 'gold.storageclass.storage.k8s.io/requests.storage'
    const { server, usedNow } = await withQuota({ 'requests.storage': '1Gi', [byClass]: '1Gi' })
    const claim = (name: string, storage: string) =>
      server.send('POST', '/api/v1/namespaces/n/persistentvolumeclaims', {
        metadata: { name },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'gold',
          resources: { requests: { storage } },
        },
      })
    expect((await claim('a', '2500m')).status).toBe(201)
    expect(await usedNow()).toEqual({ 'requests.storage': '3', [byClass]: '3' })
  })

  it('do not count reviews, which are not stored', async () => {
    const review = 'localsubjectaccessreviews.authorization.k8s.io'
    const { server, usedNow } = await withQuota({ [`count/${review}`]: '0', 'count/bindings': '0' })
    const requested = { namespace: 'n', verb: 'get', resource: 'pods' }
    const spec = { user: 'alice', resourceAttributes: requested }
    const path = '/apis/authorization.k8s.io/v1/namespaces/n/localsubjectaccessreviews'
    expect((await server.send('POST', path, { spec, metadata: { namespace: 'n' } })).status).toBe(
      201,
    )
    expect(await usedNow()).toEqual({ [`count/${review}`]: '0', 'count/bindings': '0' })
  })

  it('only count pods within their scopes', async () => {
    const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] }
    const { server } = await withQuota({ pods: '0' }, { scopeSelector })
    expect((await server.pod('n')).status).toBe(201)
    expect(
      (await server.pod('n', { priorityClassName: 'system-node-critical' }, { name: 'q' })).status,
    ).toBe(403)
  })

  it('update their status as the server', async () => {
    const { server } = await withQuota({ configmaps: '3' })
    await server.send('POST', '/api/v1/namespaces/n/configmaps', { metadata: { name: 'c' } })
    const { managedFields } = (await server.send('GET', `${QUOTAS}/q`)).body.metadata
    expect(managedFields).toContainEqual(
      expect.objectContaining({
        manager: 'kube-apiserver',
        subresource: 'status',
        operation: 'Update',
      }),
    )
  })
})

describe('the usage of a pod', () => {
  it('adds its overhead to existing limits', () => {
    const limits = { cpu: '0', memory: '1Gi' }
    const spec = {
      overhead: { cpu: '250m', memory: '64Mi', 'ephemeral-storage': '1Gi' },
      containers: [{ name: 'c', resources: { limits } }],
    }
    const usage = evaluatorOf('pods')?.usage(kubeObject({ metadata: {}, spec }), 0)
    expect(usage).toMatchObject({
      'limits.cpu': '0',
      'limits.memory': '1088Mi',
      'requests.cpu': '250m',
    })
    expect(usage).not.toHaveProperty(['limits.ephemeral-storage'])
  })

  /**
   * The definition: at any moment either one init container runs with the sidecars before it, or
   * all containers and sidecars run.
   */
  const cost = (containers: number[], init: { cpu: number; sidecar: boolean }[]) => {
    let sidecars = 0
    let peak = 0
    for (const { cpu, sidecar } of init) {
      peak = Math.max(peak, sidecars + cpu)
      if (sidecar) sidecars += cpu
    }
    return Math.max(peak, sidecars + containers.reduce((sum, cpu) => sum + cpu, 0))
  }

  it('is its highest need at any moment', () => {
    const cpu = fc.integer({ min: 1, max: 500 })
    fc.assert(
      fc.property(
        fc.array(cpu, { minLength: 1, maxLength: 4 }),
        fc.array(fc.record({ cpu, sidecar: fc.boolean() }), { maxLength: 4 }),
        (own, init) => {
          const container = (milli: number, extra = {}) => ({
            name: 'c',
            resources: { requests: { cpu: `${milli}m` } },
            ...extra,
          })
          const spec = {
            containers: own.map((milli) => container(milli)),
            initContainers: init.map(({ cpu: milli, sidecar }) =>
              container(milli, sidecar ? { restartPolicy: 'Always' } : {}),
            ),
          }
          const pod = { kind: 'Pod', apiVersion: 'v1', metadata: {}, spec } as KubeObject
          const used = evaluatorOf('pods')?.usage(pod, 0)['requests.cpu'] ?? ''
          const milli = used.endsWith('m') ? Number(used.slice(0, -1)) : Number(used) * 1000
          expect(milli).toBe(cost(own, init))
        },
      ),
    )
  })

  it('ends with the pod, except count/pods', () => {
    const pod = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: {},
      spec: { containers: [] },
      status: { phase: 'Succeeded' },
    } as KubeObject
    expect(evaluatorOf('pods')?.usage(pod, 0)).toEqual({ 'count/pods': '1' })
  })
})
