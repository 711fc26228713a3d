import { expect, test } from 'vitest'
import { testCluster } from '../support/cluster'

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
const NAME = 'v1.far.example.com'

test('a namespace is not deleted while discovery fails', async () => {
  const cluster = await testCluster()
  const spec = {
    group: 'far.example.com',
    version: 'v1',
    service: { namespace: 'default', name: 'far' },
    insecureSkipTLSVerify: true,
  }
  const body = {
    metadata: { name: NAME },
    spec: { ...spec, groupPriorityMinimum: 100, versionPriority: 10 },
  }
  await cluster.sendRequest({ method: 'POST', path: SERVICES, body })
  await cluster.sendRequest({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'here' } },
  })
  await cluster.sendRequest({ method: 'DELETE', path: '/api/v1/namespaces/here' })
  await cluster.pass(10)
  const { json } = await cluster.sendRequest({ path: '/api/v1/namespaces/here' })
  expect(
    json.status.conditions.map(({ type, status, reason }: Record<string, string>) => [
      type,
      status,
      reason,
    ]),
  ).toEqual([
    ['NamespaceDeletionDiscoveryFailure', 'True', 'DiscoveryFailed'],
    ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions'],
    ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted'],
    ['NamespaceContentRemaining', 'False', 'ContentRemoved'],
    ['NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers'],
  ])
  expect(json.status.conditions[0].message).toBe(
    'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: far.example.com/v1: stale GroupVersion discovery: far.example.com/v1',
  )
  await cluster.sendRequest({ method: 'DELETE', path: `${SERVICES}/${NAME}` })
  await cluster.pass(60)
  expect((await cluster.sendRequest({ path: '/api/v1/namespaces/here' })).status).toBe(404)
  await cluster.close()
})
