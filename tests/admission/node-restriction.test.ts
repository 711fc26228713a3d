/** NodeRestriction judges what a node sends, whatever of it the endpoint would take. */
import { expect, test } from 'vitest'
import { askedServer } from '../http/asking'

const TOKENS = 'root-token,root,,"system:masters"\nnode-token,system:node:n1,,"system:nodes"\n'
const NODE = { authorization: 'Bearer node-token' }
const ROOT = { authorization: 'Bearer root-token' }
const MERGE = { 'content-type': 'application/merge-patch+json' }

const served = () => askedServer({ tokens: TOKENS, enableAdmissionPlugins: ['NodeRestriction'] })

test('a node may not change through its status what the status would leave as it is', async () => {
  const ask = served()
  await ask('/api/v1/nodes', { method: 'POST', headers: ROOT, body: { metadata: { name: 'n1' } } })
  const patch = (body: object) => ask('/api/v1/nodes/n1/status', { method: 'PATCH', headers: { ...NODE, ...MERGE }, body })
  expect((await patch({ spec: { taints: [] } })).json.message).toContain('is not allowed to modify taints')
  expect((await patch({ spec: { configSource: { configMap: { name: 'c' } } } })).json.message).toContain(
    'is not allowed to update configSource to a new non-nil configSource',
  )
  const taken = await patch({ spec: { unschedulable: true }, status: { capacity: { cpu: '1' } } })
  expect([taken.status, taken.json.status]).toEqual([200, expect.objectContaining({ capacity: { cpu: '1' } })])
  expect(taken.json.spec).not.toHaveProperty('unschedulable')
})

test('a node that may not evict a pod is told so before the eviction is read', async () => {
  const ask = served()
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'other' } }
  const refused = await ask('/api/v1/namespaces/default/pods/p/eviction', { method: 'POST', headers: NODE, body })
  expect([refused.status, refused.json.message]).toEqual([404, 'pod "p" not found'])
})
