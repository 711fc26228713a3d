/** Where a connection of a pod leads, and why: /kubetab/v1/connection. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Pods, podsOn } from '../simulation/pods'

const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53'
let pods: Pods
beforeAll(async () => {
  pods = await podsOn()
  const container = { name: 'c', image: AGNHOST, args: ['netexec'] }
  for (const name of ['a', 'b'])
    await pods.pod(name, { containers: [container] }, { labels: { app: 'web' } })
  await pods.pod('client', { containers: [{ name: 'c', image: AGNHOST, args: ['pause'] }] })
  const service = (name: string, app: string) =>
    pods.create('services', {
      metadata: { name },
      spec: { selector: { app }, ports: [{ port: 80, targetPort: 8080 }] },
    })
  await service('web', 'web')
  await service('empty', 'none')
  await pods.cluster.pass(3)
})
afterAll(() => pods.cluster.close())

const explain = async (query: string) => {
  const { status, json } = await pods.cluster.sendRequest({
    path: `/kubetab/v1/connection?${query}`,
  })
  return { status, ...json }
}

describe('a connection', () => {
  it('has each hop, and is the same when read again', async () => {
    const query = 'pod=default/client&host=web&port=80'
    const first = await explain(query)
    expect(first).toMatchObject({ status: 200, kind: 'Connection', result: 'open' })
    expect(first.hops).toEqual([
      expect.stringMatching(/^web resolves to 10\.96\./),
      expect.stringMatching(/^service default\/web port 80 leads to 10\.244\.1\.\d+:8080$/),
      expect.stringMatching(/^container c of pod default\/[ab] listens on port 8080$/),
    ])
    expect(await explain(query)).toEqual(first)
  })

  it.each([
    ['host=empty&port=80', 'closed', 'service default/empty has no ready endpoint for port 80'],
    ['host=web&port=81', 'timeout', 'with TCP port 81'],
    ['host=nowhere&port=80', 'unresolved', 'no name of the search path of pod default/client'],
    ['host=kubernetes.default&port=443', 'api', 'leads to the API server'],
    ['host=10.244.9.9&port=80', 'timeout', 'no pod has the address 10.244.9.9'],
  ])('%s: %s', async (query, result, hop) => {
    const found = await explain(`pod=default/client&${query}`)
    expect([found.result, found.hops.at(-1)]).toEqual([result, expect.stringContaining(hop)])
  })

  it('names the policy that denies it', async () => {
    await pods.cluster.sendRequest({
      method: 'POST',
      path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
      body: {
        metadata: { name: 'none-in' },
        spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] },
      },
    })
    const { result, hops } = await explain('pod=default/client&host=web&port=80')
    expect([result, hops.at(-1)]).toEqual(['timeout', expect.stringContaining('none-in')])
  })
})

it.each([
  'pod=default/client&port=80',
  'pod=default/client&host=web&port=0',
  'pod=default/none&host=web&port=80',
  'pod=default/client&host=web&port=80&protocol=SCTP',
])('rejects %s', async (query) => {
  expect(await explain(query)).toMatchObject({ code: 400, reason: 'BadRequest' })
})
