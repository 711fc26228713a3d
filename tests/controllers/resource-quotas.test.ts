/** What the loop that counts for quotas puts right. */
import { afterEach, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const QUOTA = '/api/v1/namespaces/default/resourcequotas/q'

let cluster: Cluster
afterEach(() => cluster.close())

it('puts a status that somebody else wrote right when all quotas are counted again', async () => {
  cluster = await testCluster()
  await cluster.ask({
    method: 'POST',
    path: '/api/v1/namespaces/default/resourcequotas',
    body: { metadata: { name: 'q' }, spec: { hard: { cpu: '500m', pods: '2' } } },
  })
  const { json: counted } = await cluster.ask({ path: QUOTA })
  const written = { ...counted, status: { hard: { cpu: '600m', pods: '2' }, used: { cpu: '1', pods: '1' } } }
  expect((await cluster.ask({ method: 'PUT', path: `${QUOTA}/status`, body: written })).json.status).toEqual(written.status)

  await cluster.pass(1)
  expect((await cluster.ask({ path: QUOTA })).json.status).toEqual(written.status)

  await cluster.pass(300)
  expect((await cluster.ask({ path: QUOTA })).json.status).toEqual(counted.status)
  expect(counted.status).toEqual({ hard: { cpu: '500m', pods: '2' }, used: { cpu: '0', pods: '0' } })
})
