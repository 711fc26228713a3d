/** The leases by which simulated nodes tell that they are alive. */
import { afterEach, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const NODE = '/api/v1/nodes/node-1'
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1'

let cluster: Cluster
afterEach(() => cluster.close())

it('belong to their nodes and go with them', async () => {
  cluster = await testCluster({ nodes: 2 })
  await cluster.pass(1)
  const { name, uid } = (await cluster.ask({ path: NODE })).json.metadata
  const { ownerReferences } = (await cluster.ask({ path: LEASE })).json.metadata
  expect(ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Node', name, uid }])
  await cluster.ask({ method: 'DELETE', path: NODE })
  await cluster.pass(7200)
  expect((await cluster.ask({ path: LEASE })).status).toBe(404)
})
