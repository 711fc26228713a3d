import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { testServer } from './server'

const SERVICES = '/api/v1/namespaces/default/services'

interface Service extends KubeObject {
  spec: {
    clusterIP?: string
    clusterIPs?: string[]
    ports?: { nodePort?: number }[]
    externalTrafficPolicy?: string
    ipFamilies?: string[]
  }
}

const service = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
})

describe('addresses and node ports of services', () => {
  it('are allocated once, and are free again after deletion', async () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer', 'gone'),
      address: fc.constantFrom(undefined, '10.96.7.1', '10.96.7.2'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const server = testServer()
        for (const { name, type, address } of steps) {
          if (type === 'gone') await server.send('DELETE', `${SERVICES}/${name}`)
          else
            await server.send(
              'PUT',
              `${SERVICES}/${name}`,
              service(name, { type, ...(address ? { clusterIP: address } : {}) }),
            )
          const { body } = await server.send<{ items: Service[] }>('GET', SERVICES)
          const addresses = body.items.map(({ spec }) => spec.clusterIP)
          const ports = body.items.flatMap(({ spec }) =>
            (spec.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : [])),
          )
          expect(new Set(addresses).size).toBe(addresses.length)
          expect(new Set(ports).size).toBe(ports.length)
          for (const address of addresses) expect(address).toMatch(/^10\.96\.\d+\.\d+$/)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('go to one of two concurrent requests', async () => {
    const server = testServer()
    const both = ['a', 'b'].map((name) =>
      server.send('POST', SERVICES, service(name, { clusterIP: '10.96.9.9' })),
    )
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([201, 422])
  })

  it('are kept by a PUT without them', async () => {
    const server = testServer()
    const { body: made } = await server.send<Service>(
      'POST',
      SERVICES,
      service('a', { type: 'NodePort' }),
    )
    const { body: put } = await server.send<Service>(
      'PUT',
      `${SERVICES}/a`,
      service('a', { type: 'NodePort' }),
    )
    expect([put.spec.clusterIP, put.spec.ports]).toEqual([made.spec.clusterIP, made.spec.ports])
  })

  it('of health checks are immutable while in use', async () => {
    const server = testServer()
    const local = (healthCheckNodePort: number) =>
      service('a', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort })
    await server.send('POST', SERVICES, local(31001))
    const rejected = await server.send<{ message?: string } & KubeObject>(
      'PUT',
      `${SERVICES}/a`,
      local(31002),
    )
    expect(rejected.body.message).toBe(
      'Service "a" is invalid: spec.healthCheckNodePort: Forbidden: field is immutable',
    )
    expect((await server.send('PUT', `${SERVICES}/a`, local(31001))).status).toBe(200)
    expect(
      (await server.send('PUT', `${SERVICES}/a`, service('a', { type: 'LoadBalancer' }))).status,
    ).toBe(200)
    expect((await server.send('PUT', `${SERVICES}/a`, local(31002))).status).toBe(200)
  })

  it('are released by a service of type ExternalName', async () => {
    const server = testServer()
    await server.send('POST', SERVICES, service('a', { type: 'NodePort', clusterIP: '10.96.9.9' }))
    const patch = { spec: { type: 'ExternalName', externalName: 'example.com' } }
    const { body } = await server.send<Service>(
      'PATCH',
      `${SERVICES}/a`,
      patch,
      'application/merge-patch+json',
    )
    expect(body.spec).toMatchObject({ ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] })
    expect([
      body.spec.clusterIP,
      body.spec.ports?.[0]?.nodePort,
      body.spec.externalTrafficPolicy,
      body.spec.ipFamilies,
    ]).toEqual(Array(4).fill(undefined))
    expect(
      (await server.send('POST', SERVICES, service('b', { clusterIP: '10.96.9.9' }))).status,
    ).toBe(201)
  })

  it('that are allocated or out of range are rejected before other errors', async () => {
    const server = testServer()
    await server.send('POST', SERVICES, service('a', { clusterIP: '10.96.9.9' }))
    const rejection = async (clusterIP: string) =>
      (
        await server.send<{ message: string }>(
          'POST',
          SERVICES,
          service('b', { clusterIP, type: 'Odd' }),
        )
      ).body.message
    expect(await rejection('10.96.9.9')).toContain('provided IP is already allocated')
    expect(await rejection('10.97.0.1')).toContain('The range of valid IPs is 10.96.0.0/16')
  })
})

describe('a dry run of a service', () => {
  const trial = (server: ReturnType<typeof testServer>, spec: JsonObject) =>
    server.send<Service & { message?: string }>(
      'POST',
      `${SERVICES}?dryRun=All`,
      service('b', spec),
    )

  it('shows an address and node ports that are not allocated', async () => {
    const ports = [
      { name: 'x', port: 80 },
      { name: 'y', port: 81 },
    ]
    const { body } = await trial(testServer(), { type: 'NodePort', ports })
    expect([
      body.spec.clusterIP,
      ...(body.spec.ports ?? []).map(({ nodePort }) => nodePort),
    ]).toEqual(['10.96.0.0', 32769, 32770])
  })
  it('accepts ports out of range and allocated addresses, but no allocated port', async () => {
    const server = testServer()
    await server.send(
      'POST',
      SERVICES,
      service('a', {
        type: 'NodePort',
        clusterIP: '10.96.9.9',
        ports: [{ port: 80, nodePort: 30009 }],
      }),
    )
    expect(
      (
        await trial(server, {
          type: 'NodePort',
          clusterIP: '10.96.9.9',
          ports: [{ port: 80, nodePort: 80 }],
        })
      ).status,
    ).toBe(201)
    expect((await trial(server, { clusterIP: '10.97.0.1' })).status).toBe(422)
    const { body } = await trial(server, {
      type: 'NodePort',
      ports: [{ port: 80, nodePort: 30009 }],
    })
    expect(body.message).toContain('provided port is already allocated')
  })
})

it('compares addresses by value, not by spelling', async () => {
  const server = testServer()
  const { status, body } = await server.send<Service>(
    'POST',
    SERVICES,
    service('a', { clusterIP: '::ffff:10.96.9.9' }),
  )
  expect([status, body.spec.clusterIP]).toEqual([201, '::ffff:10.96.9.9'])
  for (const clusterIP of ['10.96.9.9', '10.096.9.9']) {
    const rejected = await server.send<{ message: string }>(
      'POST',
      SERVICES,
      service('b', { clusterIP }),
    )
    expect(rejected.body.message).toContain(
      `failed to allocate IP ${clusterIP}: provided IP is already allocated`,
    )
  }
  const rejected = await server.send<{ message: string }>(
    'POST',
    SERVICES,
    service('b', { clusterIP: '01.2.3.4' }),
  )
  expect(rejected.body.message).toContain(
    'failed to allocate IP 01.2.3.4: the provided IP (1.2.3.4) is not in the valid range',
  )
})

it('warns of external names and addresses that the service type ignores', async () => {
  const { send } = testServer()
  const { headers } = await send(
    'POST',
    SERVICES,
    service('a', { externalName: 'a.b', loadBalancerIP: '1.2.3' }),
  )
  expect(headers.warning).toEqual([
    expect.stringContaining('spec.loadBalancerIP: IP address was accepted'),
    '299 - "spec.externalName is ignored when spec.type is not \\"ExternalName\\""',
  ])
  const named = service('b', {
    type: 'ExternalName',
    externalName: 'a.b',
    externalIPs: ['1.2.3.4'],
  })
  expect((await send('POST', SERVICES, named)).headers.warning).toEqual([
    '299 - "spec.externalIPs is ignored when spec.type is \\"ExternalName\\""',
  ])
})

it('warns of addresses that are not canonical or will become invalid', async () => {
  const server = testServer()
  const warnings = async (method: string, target: string, spec: JsonObject) => {
    const { status, headers } = await server.send(method, target, service('a', spec))
    expect(status).toBeLessThan(300)
    return [headers.warning ?? []].flat()
  }
  const spec = {
    type: 'LoadBalancer',
    externalIPs: ['010.0.0.1', '2001:DB8::1', '10.0.0.1'],
    loadBalancerIP: '1.2.3',
    loadBalancerSourceRanges: ['10.00.0.0/8', '2001:db8:0::/48', '10.0.0.0/8'],
  }
  const soon = 'was accepted, but will be invalid in a future Kubernetes release'
  const loops = 'which may cause controller apply-loops'
  const reported = [
    `spec.externalIPs[0]: IP address ${soon}: ParseAddr("010.0.0.1"): IPv4 field has octet with leading zero`,
    `spec.externalIPs[1]: IPv6 address "2001:DB8::1" is not in RFC 5952 canonical format ("2001:db8::1"), ${loops}`,
    `spec.loadBalancerIP: IP address ${soon}: ParseAddr("1.2.3"): IPv4 address too short`,
    `spec.loadBalancerSourceRanges[0]: IP prefix ${soon}: netip.ParsePrefix("10.00.0.0/8"): ParseAddr("10.00.0.0"): IPv4 field has octet with leading zero`,
    `spec.loadBalancerSourceRanges[1]: IPv6 prefix "2001:db8:0::/48" is not in RFC 5952 canonical format ("2001:db8::/48"), ${loops}`,
  ].map((text) => `299 - ${JSON.stringify(text)}`)
  expect(await warnings('POST', SERVICES, spec)).toEqual(reported)
  expect(await warnings('PUT', `${SERVICES}/a`, spec)).toEqual(reported)
  expect(await warnings('PUT', `${SERVICES}/a`, {})).toEqual([])
})
