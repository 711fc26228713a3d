/** Namespace deletion: blockers and conditions. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

let cluster: Cluster
afterEach(() => cluster.close())

const get = async (path: string) => (await cluster.sendRequest({ path })).json
const create = (path: string, body: object) => cluster.sendRequest({ method: 'POST', path, body })
const conditionOf = async (type: string) =>
  (await get('/api/v1/namespaces/going')).status.conditions?.find(
    (condition: { type: string }) => condition.type === type,
  )

async function going(): Promise<void> {
  cluster = await testCluster({})
  await create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'going' },
  })
  await create('/api/v1/namespaces/going/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kept' },
  })
}
const end = () => cluster.sendRequest({ method: 'DELETE', path: '/api/v1/namespaces/going' })

describe('a terminating namespace', () => {
  it('reports content that cannot be deleted, and is removed after it is', async () => {
    await going()
    const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
    const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings'
    const rule = {
      apiGroups: [''],
      apiVersions: ['v1'],
      operations: ['DELETE'],
      resources: ['configmaps'],
    }
    await create(POLICIES, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'keep' },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: 'false', message: 'it is dear to us' }],
      },
    })
    await create(BINDINGS, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'keep' },
      spec: { policyName: 'keep', validationActions: ['Deny'] },
    })
    await end()
    await cluster.pass(1)
    const { status, reason, message } = await conditionOf('NamespaceDeletionContentFailure')
    expect([status, reason]).toEqual(['True', 'ContentDeletionFailed'])
    expect(message).toMatch(
      /^Failed to delete all resource types, 1 remaining: configmaps ".*" is forbidden: .*it is dear to us$/,
    )
    expect(await conditionOf('NamespaceContentRemaining')).toMatchObject({
      status: 'True',
      reason: 'SomeResourcesRemain',
    })
    await cluster.sendRequest({ method: 'DELETE', path: `${BINDINGS}/keep` })
    await cluster.pass(60)
    expect((await cluster.sendRequest({ path: '/api/v1/namespaces/going' })).status).toBe(404)
  })

  it('waits for versions that an aggregated server does not serve', async () => {
    await going()
    const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
    await create(SERVICES, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta1.metrics.k8s.io' },
      spec: {
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { namespace: 'kube-system', name: 'none' },
      },
    })
    await cluster.pass(5)
    await end()
    await cluster.pass(5)
    expect(await conditionOf('NamespaceDeletionDiscoveryFailure')).toMatchObject({
      status: 'True',
      reason: 'DiscoveryFailed',
      message:
        'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1',
    })
    expect(
      (await cluster.sendRequest({ path: '/api/v1/namespaces/going/configmaps/kept' })).status,
    ).toBe(404)
    await cluster.sendRequest({ method: 'DELETE', path: `${SERVICES}/v1beta1.metrics.k8s.io` })
    await cluster.pass(1)
    expect((await cluster.sendRequest({ path: '/api/v1/namespaces/going' })).status).toBe(404)
  })
})
