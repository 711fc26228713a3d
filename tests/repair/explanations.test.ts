import { describe, expect, it } from 'vitest'
import type { Cluster } from '../support/cluster'
import { configMap } from '../support/server'
import { repairCluster, review, send } from './support'

async function explained(prepare: (cluster: Cluster) => Promise<void>, path: string, body: object) {
  const cluster = await repairCluster()
  try {
    await prepare(cluster)
    return await review(cluster, { method: 'POST', path, body })
  } finally {
    await cluster.close()
  }
}

describe('an explanation', () => {
  it('without a repair reports why a step is not enough', async () => {
    const cluster = await repairCluster()
    const path = '/api/v1/namespaces/default/pods/gone'
    const { explanations, repairs } = await review(cluster, {
      method: 'DELETE',
      path,
      user: 'alice',
    })
    expect(repairs).toEqual([])
    expect(explanations).toEqual([
      'Not enough: Allow alice to delete pods "gone" in namespace "default". ' +
        'The response is then 404: pods "gone" not found',
    ])
    await cluster.close()
  })

  it('of a terminating namespace lists what it waits for', async () => {
    const prepare = async (cluster: Cluster) => {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
      await send(cluster, { method: 'POST', path: '/api/v1/namespaces', body: namespace })
      const held = configMap('held')
      const body = { ...held, metadata: { ...held.metadata, finalizers: ['example.com/backup'] } }
      await send(cluster, { method: 'POST', path: '/api/v1/namespaces/shop/configmaps', body })
      await send(cluster, { method: 'DELETE', path: '/api/v1/namespaces/shop' })
      await cluster.pass(30)
    }
    const { explanations, repairs } = await explained(
      prepare,
      '/api/v1/namespaces/shop/configmaps',
      configMap('late'),
    )
    expect(repairs).toEqual([])
    expect(explanations[0]).toMatch(/^Namespace "shop" is terminating since 2026-/)
    expect(explanations.join(' ')).toContain('example.com/backup')
  })

  it('of a policy names the expression and the values', async () => {
    const root = '/apis/admissionregistration.k8s.io/v1'
    const prepare = async (cluster: Cluster) => {
      const policy = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'modes' },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                resources: ['configmaps'],
                operations: ['CREATE'],
              },
            ],
          },
          validations: [{ expression: "object.data.mode == 'slow'", message: 'no' }],
        },
      }
      await send(cluster, {
        method: 'POST',
        path: `${root}/validatingadmissionpolicies`,
        body: policy,
      })
      const body = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'everywhere' },
        spec: { policyName: 'modes', validationActions: ['Deny'] },
      }
      await send(cluster, {
        method: 'POST',
        path: `${root}/validatingadmissionpolicybindings`,
        body,
      })
      await cluster.pass(5)
    }
    const path = '/api/v1/namespaces/default/configmaps'
    const { explanations } = await explained(prepare, path, configMap('a', { mode: 'fast' }))
    expect(explanations).toEqual([
      `Policy "modes", bound by "everywhere", requires object.data.mode == 'slow'; object.data.mode is "fast".`,
    ])
  })

  it('of a failed conversion names the stored version', async () => {
    const version = (name: string, storage: boolean) => ({
      name,
      storage,
      served: true,
      schema: { openAPIV3Schema: { type: 'object' } },
    })
    const prepare = async (cluster: Cluster) => {
      const definition = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'kettles.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'kettles', singular: 'kettle', kind: 'Kettle' },
          versions: [version('v1', true), version('v2', false)],
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { url: 'https://127.0.0.1:1/convert' },
              conversionReviewVersions: ['v1'],
            },
          },
        },
      }
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
      await send(cluster, { method: 'POST', path, body: definition })
      await cluster.pass(10)
    }
    const { explanations } = await explained(
      prepare,
      '/apis/example.com/v2/namespaces/default/kettles',
      { apiVersion: 'example.com/v2', kind: 'Kettle', metadata: { name: 'a' } },
    )
    expect(explanations).toEqual([
      expect.stringMatching(/^kettles\.example\.com is stored as v1, and a webhook converts/),
    ])
  })
})
