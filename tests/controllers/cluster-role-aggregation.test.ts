/**
 * Aggregated ClusterRoles (kubernetes.io, "Using RBAC Authorization", "Aggregated ClusterRoles").
 */
import { afterEach, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles'

let cluster: Cluster
afterEach(() => cluster.close())

const rule = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] })
const make = (name: string, more: object, labels?: Record<string, string>) =>
  cluster.sendRequest({
    method: 'POST',
    path: ROLES,
    body: { metadata: { name, ...(labels && { labels }) }, ...more },
  })
const rulesOf = async (name: string) => {
  await cluster.pass(1)
  return (await cluster.sendRequest({ path: `${ROLES}/${name}` })).json.rules
}

it('have the rules of all ClusterRoles that a selector matches, now and later', async () => {
  cluster = await testCluster()
  await make('a', { rules: [rule('pods')] }, { part: 'yes' })
  await make('whole', {
    rules: [rule('nodes')],
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }, { matchLabels: { also: 'yes' } }],
    },
  })
  expect(await rulesOf('whole')).toEqual([rule('pods')])
  await make('b', { rules: [rule('secrets'), rule('pods')] }, { also: 'yes' })
  expect(await rulesOf('whole')).toEqual([rule('pods'), rule('secrets')])
  await cluster.sendRequest({ method: 'DELETE', path: `${ROLES}/a` })
  expect(await rulesOf('whole')).toEqual([rule('secrets'), rule('pods')])
})

it('add rules labeled for admin, edit and view', async () => {
  cluster = await testCluster()
  const own = { verbs: ['list'], apiGroups: ['example.com'], resources: ['widgets'] }
  await make(
    'widget-viewer',
    { rules: [own] },
    { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' },
  )
  expect(await rulesOf('view')).toContainEqual(own)
  expect(await rulesOf('edit')).toContainEqual(own)
  expect(await rulesOf('admin')).toContainEqual(own)
})

it('do not change while the controller is off', async () => {
  cluster = await testCluster({ controllers: ['*', '-clusterrole-aggregation-controller'] })
  await make('a', { rules: [rule('pods')] }, { part: 'yes' })
  await make('whole', {
    rules: [],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] },
  })
  expect((await rulesOf('whole')) ?? []).toEqual([])
})
