/** The controller that recalculates the usage of ResourceQuotas. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, podTemplate, testCluster } from '../support/cluster'

const QUOTA = '/api/v1/namespaces/default/resourcequotas/q'

let cluster: Cluster
afterEach(() => cluster.close())

it('restores a modified status in the next full resync', async () => {
  cluster = await testCluster()
  await cluster.sendRequest({
    method: 'POST',
    path: '/api/v1/namespaces/default/resourcequotas',
    body: { metadata: { name: 'q' }, spec: { hard: { cpu: '500m', pods: '2' } } },
  })
  const { json: counted } = await cluster.sendRequest({ path: QUOTA })
  const written = {
    ...counted,
    status: { hard: { cpu: '600m', pods: '2' }, used: { cpu: '1', pods: '1' } },
  }
  expect(
    (await cluster.sendRequest({ method: 'PUT', path: `${QUOTA}/status`, body: written })).json
      .status,
  ).toEqual(written.status)

  await cluster.pass(1)
  expect((await cluster.sendRequest({ path: QUOTA })).json.status).toEqual(written.status)

  await cluster.pass(300)
  expect((await cluster.sendRequest({ path: QUOTA })).json.status).toEqual(counted.status)
  expect(counted.status).toEqual({
    hard: { cpu: '500m', pods: '2' },
    used: { cpu: '0', pods: '0' },
  })
})

it('recalculates all quotas together, every five minutes from the start', async () => {
  cluster = await testCluster()
  const path = '/api/v1/namespaces/default/resourcequotas'
  const headers = { 'content-type': 'application/merge-patch+json' }
  for (const name of ['a', 'b'])
    await cluster.sendRequest({
      method: 'POST',
      path,
      body: { metadata: { name }, spec: { hard: { pods: '2' } } },
    })
  const corrupt = (name: string) =>
    cluster.sendRequest({
      method: 'PATCH',
      path: `${path}/${name}/status`,
      headers,
      body: { status: { used: { pods: '7' } } },
    })
  const used = async () =>
    Promise.all(
      ['a', 'b'].map(
        async (name) =>
          (await cluster.sendRequest({ path: `${path}/${name}` })).json.status.used.pods,
      ),
    )
  await cluster.pass(100)
  await corrupt('a')
  await cluster.pass(150)
  await corrupt('b')
  expect(await used()).toEqual(['7', '7'])
  await cluster.pass(60)
  expect(await used()).toEqual(['0', '0'])
})

describe('a wrong status remains until', () => {
  const CORE = '/api/v1/namespaces/default'
  const sendRequest = (method: string, path: string, body?: object) =>
    cluster.sendRequest({
      method,
      path: `${CORE}/${path}`,
      ...(body && { body }),
      headers: { 'content-type': 'application/json' },
    })
  const patch = (path: string, body: object) =>
    cluster.sendRequest({
      method: 'PATCH',
      path: `${CORE}/${path}`,
      body,
      headers: { 'content-type': 'application/merge-patch+json' },
    })
  const hard = { pods: '9', services: '9' }
  const wrong = { pods: '7', services: '7' }

  it.each<[string, boolean, () => Promise<unknown>]>([
    ['a pod is changed', false, () => patch('pods/p', { metadata: { labels: { a: 'b' } } })],
    ['a pod gets a deadline', false, () => patch('pods/p', { spec: { activeDeadlineSeconds: 5 } })],
    ['a pod ends', true, () => patch('pods/p/status', { status: { phase: 'Failed' } })],
    ['a pod goes', true, () => sendRequest('DELETE', 'pods/p')],
    [
      'a service loses a port',
      false,
      () => patch('services/s', { spec: { ports: [{ name: 'a', port: 1 }] } }),
    ],
    [
      'a service gets another type',
      true,
      () => patch('services/s', { spec: { type: 'ClusterIP' } }),
    ],
    ['something goes that is not counted', false, () => sendRequest('DELETE', 'configmaps/c')],
  ])('%s: %s', async (_, recounted, change) => {
    cluster = await testCluster()
    await sendRequest('POST', 'resourcequotas', { metadata: { name: 'q' }, spec: { hard } })
    await cluster.pass(1)
    await sendRequest('POST', 'pods', {
      ...podTemplate('p', 'img:1', { schedulerName: 'none' }),
      metadata: { name: 'p' },
    })
    const ports = [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ]
    await sendRequest('POST', 'services', {
      metadata: { name: 's' },
      spec: { type: 'NodePort', ports },
    })
    await sendRequest('POST', 'configmaps', { metadata: { name: 'c' } })
    await patch('resourcequotas/q/status', { status: { used: wrong } })
    expect((await change()) as object).toMatchObject({ status: 200 })
    await cluster.pass(1)
    const { used } = (await cluster.sendRequest({ path: QUOTA })).json.status
    if (recounted) expect(used).not.toEqual(wrong)
    else expect(used).toEqual(wrong)
  })
})
