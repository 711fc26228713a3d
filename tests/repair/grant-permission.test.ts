import { describe, expect, it } from 'vitest'
import { configMap } from '../support/server'
import { APPLY, expectRepairs, type Rejected, repairCluster, review } from './support'

const nothing = async (): Promise<void> => undefined
const MAPS = '/api/v1/namespaces/default/configmaps'

const CASES: { name: string; rejected: Rejected; rules: unknown[] }[] = [
  {
    name: 'a list in a namespace',
    rejected: { method: 'GET', path: MAPS, user: 'alice' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
  },
  {
    name: 'an object by its name',
    rejected: { method: 'GET', path: `${MAPS}/kube-root-ca.crt`, user: 'alice' },
    rules: [
      {
        apiGroups: [''],
        resources: ['configmaps'],
        verbs: ['get'],
        resourceNames: ['kube-root-ca.crt'],
      },
    ],
  },
  {
    name: 'a resource of the cluster',
    rejected: { method: 'GET', path: '/api/v1/nodes', user: 'alice' },
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }],
  },
  {
    name: 'a path',
    rejected: { method: 'GET', path: '/metrics', user: 'alice' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  },
  {
    name: 'an apply that creates',
    rejected: {
      method: 'PATCH',
      path: `${MAPS}/settings?fieldManager=me`,
      contentType: APPLY,
      body: configMap('settings'),
      user: 'alice',
    },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] }],
  },
]

describe('a permission', () => {
  it.each(CASES)('is granted for $name, and no more', async ({ rejected, rules }) => {
    const [repair] = await expectRepairs(nothing, rejected, ['GrantPermission'])
    expect(repair?.writes.map(({ body }) => body.kind)).toEqual(
      rejected.path.includes('/namespaces/')
        ? ['Role', 'RoleBinding']
        : ['ClusterRole', 'ClusterRoleBinding'],
    )
    expect(repair?.writes[0]?.body.rules).toEqual(rules)
    expect(repair?.writes[1]?.body.subjects).toEqual([
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' },
    ])
  })

  it('is not granted by a user who lacks it', async () => {
    const cluster = await repairCluster()
    const response = await cluster.sendRequest({
      method: 'POST',
      path: '/kubetab/v1/repairs',
      token: 'alice',
      body: { spec: { request: { method: 'GET', path: MAPS } } },
    })
    expect(response.status).toBe(403)
    await cluster.close()
  })

  it('is not needed for a request that passes', async () => {
    const cluster = await repairCluster()
    expect(await review(cluster, { method: 'GET', path: MAPS })).toEqual({
      code: 200,
      explanations: [],
      repairs: [],
    })
    await cluster.close()
  })
})
