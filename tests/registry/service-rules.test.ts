import { describe, expect, it, test } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, causes, type TestServer, testServer } from './server'

const SERVICES = '/api/v1/namespaces/default/services'

interface Service extends Causes {
  spec: {
    ports: { nodePort?: number }[]
    healthCheckNodePort?: number
    ipFamilies?: string[]
    ipFamilyPolicy?: string
  }
  message?: string
}

const service = (
  name: string,
  spec: JsonObject = {},
  annotations: JsonObject = {},
): JsonObject => ({
  metadata: { name, annotations },
  spec: { ports: [{ port: 80 }], ...spec },
})

const create = (server: TestServer, ...given: Parameters<typeof service>) =>
  server.send<Service>('POST', SERVICES, service(...given))
const replace = (server: TestServer, ...given: Parameters<typeof service>) =>
  server.send<Service>('PUT', `${SERVICES}/${given[0]}`, service(...given))

const HINTS = 'service.kubernetes.io/topology-aware-hints'
const MODE = 'service.kubernetes.io/topology-mode'
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges'

describe('a service', () => {
  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'two annotations that contradict each other',
      {},
      { [HINTS]: 'Auto', [MODE]: 'Disabled' },
      [
        `metadata.annotations[${MODE}]: Invalid value: "Disabled": must match annotations[${HINTS}] when both are specified`,
      ],
    ],
    [
      'ranges that mean nothing',
      {},
      { [RANGES]: ' ' },
      [
        `metadata.annotations[${RANGES}]: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
      ],
    ],
    [
      'policies that are empty',
      { internalTrafficPolicy: '', trafficDistribution: '' },
      {},
      [
        'spec.internalTrafficPolicy: Unsupported value: "": supported values: "Cluster", "Local"',
        'spec.trafficDistribution: Unsupported value: "": supported values: "PreferClose"',
      ],
    ],
    [
      'a policy of families that is empty',
      { ipFamilyPolicy: '' },
      {},
      [
        'spec.ipFamilyPolicy: Unsupported value: "": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      ],
    ],
  ])('with %s', async (_, spec, annotations, expected) => {
    expect(causes((await create(testServer(), 'a', spec, annotations)).body)).toEqual(expected)
  })
  test('with an invalid appProtocol', async () => {
    const [first] = causes(
      (await create(testServer(), 'a', { ports: [{ port: 80, appProtocol: '' }] })).body,
    )
    expect(first).toBe('spec.ports[0].appProtocol: Invalid value: "": name part must be non-empty')
  })
})

describe('node ports', () => {
  const both = (first: JsonObject = {}, second: JsonObject = {}) => ({
    type: 'NodePort',
    ports: [
      { name: 'a', port: 53, protocol: 'UDP', ...first },
      { name: 'b', port: 53, protocol: 'TCP', ...second },
    ],
  })
  const numbers = ({ spec }: Service) => spec.ports.map(({ nodePort }) => nodePort)

  it('are equal for the protocols of one port of a new service', async () => {
    const server = testServer()
    const [first, second] = numbers((await create(server, 'a', both())).body)
    expect([first, typeof first]).toEqual([second, 'number'])
    expect(numbers((await create(server, 'b', both({}, { nodePort: 30053 }))).body)).toEqual([
      30053, 30053,
    ])
  })
  it('differ for two ports', async () => {
    const { body } = await create(
      testServer(),
      'a',
      both({ nodePort: 30053 }, { port: 54, nodePort: 30053 }),
    )
    expect(causes(body)).toEqual([
      'spec.ports[1].nodePort: Invalid value: 30053: provided port is already allocated',
    ])
  })
  it('are released without allocateLoadBalancerNodePorts, allocated again with it', async () => {
    const server = testServer()
    const balancer = (...more: JsonObject[]) =>
      Object.assign({ type: 'LoadBalancer', ports: [{ port: 80 }] }, ...more)
    const requested = { ports: [{ port: 80, nodePort: 30053 }] }
    const none = { allocateLoadBalancerNodePorts: false }
    await create(server, 'a', balancer(requested))
    expect(numbers((await replace(server, 'a', balancer())).body)).toEqual([30053])
    expect(numbers((await replace(server, 'a', balancer(none))).body)).toEqual([undefined])
    expect(numbers((await replace(server, 'a', balancer(none, requested))).body)).toEqual([30053])
    expect(numbers((await replace(server, 'a', balancer())).body)).not.toEqual([30053])
  })
  it('are compared by protocol on update', async () => {
    const server = testServer()
    await create(server, 'a')
    const { status, body } = await replace(
      server,
      'a',
      both({ nodePort: 30053 }, { protocol: 'UDP', nodePort: 30053 }),
    )
    expect([status, body.message]).toEqual([500, 'duplicate nodePort: {UDP 30053}'])
    expect(
      numbers((await replace(server, 'a', both({ nodePort: 30053 }, { nodePort: 30053 }))).body),
    ).toEqual([30053, 30053])
  })
})

describe('the healthCheckNodePort', () => {
  const local = (more: JsonObject = {}) => ({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    ...more,
  })

  it('is the requested one if it is free', async () => {
    const server = testServer()
    expect(
      (await create(server, 'a', local({ healthCheckNodePort: 30500 }))).body.spec
        .healthCheckNodePort,
    ).toBe(30500)
    const { status, body } = await create(server, 'b', local({ healthCheckNodePort: 30500 }))
    const why =
      'failed to allocate requested HealthCheck NodePort 30500: provided port is already allocated'
    expect([status, body.message]).toEqual([500, `Internal error occurred: ${why}`])
  })
  it('is immutable', async () => {
    const server = testServer()
    await create(server, 'a', local({ healthCheckNodePort: 30500 }))
    expect((await replace(server, 'a', local())).body.spec.healthCheckNodePort).toBe(30500)
    expect(
      causes((await replace(server, 'a', local({ healthCheckNodePort: 30501 }))).body),
    ).toEqual(['spec.healthCheckNodePort: Forbidden: field is immutable'])
  })
})

describe('the clusterIP', () => {
  it('of another service is rejected as a change', async () => {
    const server = testServer()
    await create(server, 'taken', { clusterIP: '10.96.9.9' })
    await create(server, 'a', { clusterIP: '10.96.9.8' })
    expect(causes((await replace(server, 'a', { clusterIP: '10.96.9.9' })).body)).toEqual([
      'spec.clusterIPs[0]: Invalid value: []string{"10.96.9.9"}: may not change once set',
    ])
  })
})

describe('addresses of a service', () => {
  it('are treated as IPv4 if they are IPv4-mapped IPv6 addresses', async () => {
    const { body } = await create(testServer(), 'a', {
      externalIPs: ['::ffff:127.0.0.9', '::ffff:10.1.1.1'],
    })
    expect(causes(body)).toEqual([
      'spec.externalIPs[0]: Invalid value: "::ffff:127.0.0.9": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ])
  })
  it('report only their number if there are three of two families', async () => {
    const clusterIPs = ['10.96.1.1', 'fd00::1', 'fd00::2']
    const { body } = await create(testServer(), 'a', {
      ipFamilyPolicy: 'RequireDualStack',
      clusterIP: '10.96.1.1',
      clusterIPs,
    })
    expect(causes(body)).toEqual([
      'spec.clusterIPs: Invalid value: []string{"10.96.1.1", "fd00::1", "fd00::2"}: may only hold up to 2 values',
    ])
  })
})

describe('the families of a headless service without selectors', () => {
  const headless = (more: JsonObject = {}) => ({ clusterIP: 'None', ...more })
  const made = async () => {
    const server = testServer()
    const { body } = await create(server, 'a', headless())
    expect([body.spec.ipFamilies, body.spec.ipFamilyPolicy]).toEqual([
      ['IPv4', 'IPv6'],
      'RequireDualStack',
    ])
    return server
  }
  it('are reduced only with SingleStack', async () => {
    const server = await made()
    expect(causes((await replace(server, 'a', headless({ ipFamilies: ['IPv4'] }))).body)).toEqual([
      `spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be 'SingleStack' to release the secondary IP family`,
    ])
    const { body } = await replace(
      server,
      'a',
      headless({ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'SingleStack' }),
    )
    expect([body.spec.ipFamilies, body.spec.ipFamilyPolicy]).toEqual([['IPv4'], 'SingleStack'])
  })
  it('stay with PreferDualStack when a selector is added', async () => {
    const server = testServer()
    const preferred = headless({ ipFamilyPolicy: 'PreferDualStack' })
    await create(server, 'a', preferred)
    const spoken = { ...preferred, selector: { a: 'b' } }
    const { body } = await replace(server, 'a', { ...spoken, ipFamilies: ['IPv4', 'IPv6'] })
    expect(body.spec.ipFamilies).toEqual(['IPv4', 'IPv6'])
    expect((await replace(server, 'a', { ...spoken, ipFamilies: ['IPv6', 'IPv4'] })).status).toBe(
      422,
    )
  })
  it('are reported in two errors', async () => {
    const spec = {
      clusterIP: '10.96.1.1',
      clusterIPs: ['10.96.1.1', 'fd00::1'],
      ipFamilies: ['IPv4', 'IPv6'],
    }
    const why = (what: string) =>
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`
    expect(causes((await create(testServer(), 'a', spec)).body)).toEqual(
      ['cluster IPs', 'IP families'].map(
        (what) => `spec.ipFamilyPolicy: Invalid value: "SingleStack": ${why(what)}`,
      ),
    )
  })
})

it('rejects an empty ipMode of a load balancer address', async () => {
  const server = testServer()
  await create(server, 'a', { type: 'LoadBalancer' })
  const ingress: JsonObject[] = [
    { ip: '1.1.1.1', ipMode: '' },
    { hostname: 'h.example', ipMode: '' },
    { ip: '1.1.1.1' },
  ]
  const status = { loadBalancer: { ingress } }
  const { body } = await server.send<Causes>(
    'PATCH',
    `${SERVICES}/a/status`,
    { status },
    'application/merge-patch+json',
  )
  expect(causes(body)).toEqual([
    'status.loadBalancer.ingress[0].ipMode: Unsupported value: "": supported values: "Proxy", "VIP"',
    'status.loadBalancer.ingress[1].ipMode: Forbidden: may not be specified when `ip` is not set',
  ])
})

it('deletes the Endpoints of its name along with the service', async () => {
  const { send } = testServer()
  await send('POST', SERVICES, service('a'))
  await send('POST', '/api/v1/namespaces/default/endpoints', { metadata: { name: 'a' } })
  await send('DELETE', `${SERVICES}/a`)
  expect((await send<KubeObject>('GET', '/api/v1/namespaces/default/endpoints/a')).status).toBe(404)
})
