/** Fields of Services that feature gates enable or disable. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, causes, type TestServer, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const SERVICES = '/api/v1/namespaces/default/services'

async function serverWith(
  featureGates: Record<string, boolean>,
  spec: JsonObject = {},
): Promise<TestServer> {
  const server = testServer({ featureGates })
  const { status } = await server.send('POST', SERVICES, {
    metadata: { name: 's' },
    spec: { ports: [{ port: 80 }], ...spec },
  })
  expect(status).toBe(201)
  return server
}
const report = (server: TestServer, ingress: JsonObject) =>
  server.send<Causes>(
    'PATCH',
    `${SERVICES}/s/status`,
    { status: { loadBalancer: { ingress: [ingress] } } },
    MERGE,
  )
const ingressOf = ({ body }: { body: KubeObject }) =>
  (body.status as { loadBalancer: JsonObject }).loadBalancer.ingress
const specOf = ({ body }: { body: KubeObject }) => body.spec as JsonObject

describe('AllowServiceLBStatusOnNonLB', () => {
  it('keeps a load balancer status of other types until the Service is written', async () => {
    const server = await serverWith({ AllowServiceLBStatusOnNonLB: true })
    expect(causes((await report(server, { ip: '1.2.3.4' })).body)).toEqual([
      'status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set',
    ])
    expect(ingressOf(await report(server, { hostname: 'a.b' }))).toEqual([{ hostname: 'a.b' }])
    const written = await server.send(
      'PATCH',
      `${SERVICES}/s`,
      { metadata: { labels: { a: 'b' } } },
      MERGE,
    )
    expect(ingressOf(written)).toBeUndefined()
  })
})

describe('LoadBalancerIPMode off', () => {
  it('drops ipMode and does not require it', async () => {
    const server = await serverWith({ LoadBalancerIPMode: false }, { type: 'LoadBalancer' })
    expect(ingressOf(await report(server, { ip: '1.2.3.4' }))).toEqual([{ ip: '1.2.3.4' }])
    expect(ingressOf(await report(server, { ip: '1.2.3.4', ipMode: 'Proxy' }))).toEqual([
      { ip: '1.2.3.4' },
    ])
  })
})

describe('ServiceTrafficDistribution off', () => {
  it('drops trafficDistribution, whatever its value', async () => {
    const server = await serverWith(
      { ServiceTrafficDistribution: false },
      { trafficDistribution: 'nonsense' },
    )
    const change = { spec: { trafficDistribution: 'PreferClose' } }
    expect(specOf(await server.send('GET', `${SERVICES}/s`)).trafficDistribution).toBeUndefined()
    expect(
      specOf(await server.send('PATCH', `${SERVICES}/s`, change, MERGE)).trafficDistribution,
    ).toBeUndefined()
  })
})
