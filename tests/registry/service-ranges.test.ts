import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, causes, testServer } from './server'

const SERVICES = '/api/v1/namespaces/default/services'
const BOTH = ['10.20.0.0/24', 'fd00:20::/112']
const MERGE = 'application/merge-patch+json'

interface Service extends KubeObject {
  spec: { clusterIP: string; clusterIPs: string[]; ipFamilies: string[]; ipFamilyPolicy: string }
}

const service = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'web' },
  spec: { ports: [{ port: 80 }], ...spec },
})
const V4 = expect.stringMatching(/^10\.20\.0\.\d+$/)
const V6 = expect.stringMatching(/^fd00:20::[0-9a-f]+$/)

describe('a service in a dual-stack cluster', () => {
  it.each([
    ['nothing', {}, [V4], ['IPv4'], 'SingleStack'],
    ['the other family', { ipFamilies: ['IPv6'] }, [V6], ['IPv6'], 'SingleStack'],
    [
      'both if they can be had',
      { ipFamilyPolicy: 'PreferDualStack' },
      [V4, V6],
      ['IPv4', 'IPv6'],
      'PreferDualStack',
    ],
    [
      'both, the other first',
      { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] },
      [V6, V4],
      ['IPv6', 'IPv4'],
      'RequireDualStack',
    ],
    [
      'an address, and another one',
      { ipFamilyPolicy: 'RequireDualStack', clusterIP: 'fd00:20::7' },
      ['fd00:20::7', V4],
      ['IPv6', 'IPv4'],
      'RequireDualStack',
    ],
  ])('that requests %s', async (_, requested, clusterIPs, ipFamilies, ipFamilyPolicy) => {
    const { body } = await testServer({ serviceRanges: BOTH }).send<Service>(
      'POST',
      SERVICES,
      service(requested),
    )
    expect(body.spec).toMatchObject({
      clusterIPs,
      ipFamilies,
      ipFamilyPolicy,
      clusterIP: clusterIPs[0],
    })
  })

  it('gets a second address with PreferDualStack and releases it with SingleStack', async () => {
    const server = testServer({ serviceRanges: BOTH })
    const { body: made } = await server.send<Service>('POST', SERVICES, service({}))
    const change = (spec: JsonObject) =>
      server.send<Service>('PATCH', `${SERVICES}/web`, { spec }, MERGE)
    const { body: wide } = await change({ ipFamilyPolicy: 'PreferDualStack' })
    expect(wide.spec.clusterIPs).toEqual([made.spec.clusterIP, V6])
    const { body: narrow } = await change({ ipFamilyPolicy: 'SingleStack' })
    expect([narrow.spec.clusterIPs, narrow.spec.ipFamilies]).toEqual([
      [made.spec.clusterIP],
      ['IPv4'],
    ])
  })

  it('rejects an address outside the ranges and shows all clusterIPs', async () => {
    const requested = service({ ipFamilyPolicy: 'RequireDualStack', clusterIP: '10.21.0.1' })
    const { body } = await testServer({ serviceRanges: BOTH }).send<Causes>(
      'POST',
      SERVICES,
      requested,
    )
    expect(causes(body)).toEqual([
      'spec.clusterIPs: Invalid value: []string{"10.21.0.1", ""}: failed to allocate IP 10.21.0.1: the provided IP (10.21.0.1) is not in the valid range. The range of valid IPs is 10.20.0.0/24',
    ])
  })

  it('keeps its primary family; the error shows the new clusterIPs', async () => {
    const server = testServer({ serviceRanges: BOTH })
    await server.send(
      'POST',
      SERVICES,
      service({
        ipFamilyPolicy: 'RequireDualStack',
        clusterIP: '10.20.0.9',
        clusterIPs: ['10.20.0.9', 'fd00:20::9'],
      }),
    )
    const other = {
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv6'],
      clusterIP: 'fd00:20::9',
      clusterIPs: ['fd00:20::9'],
    }
    const { body } = await server.send<Causes>('PATCH', `${SERVICES}/web`, { spec: other }, MERGE)
    const why = 'Invalid value: []string{"fd00:20::9"}: may not change once set'
    expect(causes(body)).toEqual([`spec.clusterIPs[0]: ${why}`, `spec.ipFamilies[0]: ${why}`])
  })

  it('shows the network address of each range in a dry run', async () => {
    const requested = service({ ipFamilyPolicy: 'RequireDualStack' })
    const { body } = await testServer({ serviceRanges: BOTH }).send<Service>(
      'POST',
      `${SERVICES}?dryRun=All`,
      requested,
    )
    expect(body.spec.clusterIPs).toEqual(['10.20.0.0', 'fd00:20::'])
  })
})

describe('a service that changes to ExternalName', () => {
  it('releases its addresses even if clusterIPs is unset', async () => {
    const server = testServer()
    await server.send('POST', SERVICES, service({}))
    const change = { type: 'ExternalName', externalName: 'web.example.com', clusterIPs: null }
    const { body } = await server.send<Service>('PATCH', `${SERVICES}/web`, { spec: change }, MERGE)
    expect(body.spec).not.toHaveProperty('clusterIP')
  })

  it('drops internalTrafficPolicy but owns it, and rejects an invalid value', async () => {
    const server = testServer()
    const named = (internalTrafficPolicy: string) =>
      server.send<Service>(
        'POST',
        SERVICES,
        service({ type: 'ExternalName', externalName: 'web.example.com', internalTrafficPolicy }),
      )
    expect((await named('Nearby')).status).toBe(422)
    const { body } = await named('Local')
    expect(body.spec).not.toHaveProperty('internalTrafficPolicy')
    expect(body.metadata.managedFields?.[0]?.fieldsV1).toHaveProperty([
      'f:spec',
      'f:internalTrafficPolicy',
    ])
  })
})

describe('an exhausted range', () => {
  const full = (what: string) => ({
    status: 500,
    body: {
      reason: 'InternalError',
      message: `Internal error occurred: failed to allocate ${what}: range is full`,
    },
  })
  const named = (name: string, spec: JsonObject = {}): JsonObject => ({
    ...service(spec),
    metadata: { name },
  })

  it('allocates no address to a new or changed service', async () => {
    const server = testServer({ serviceRanges: ['10.20.0.0/29'] })
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      expect((await server.send('POST', SERVICES, named(name))).status).toBe(201)
    expect(await server.send('POST', SERVICES, named('f'))).toMatchObject(full('a serviceIP'))
    const outside = { type: 'ExternalName', externalName: 'web.example.com' }
    await server.send('POST', SERVICES, named('f', outside))
    expect(
      await server.send('PATCH', `${SERVICES}/f`, { spec: { type: 'ClusterIP' } }, MERGE),
    ).toMatchObject(full('a serviceIP'))
  })

  it('allocates neither a node port nor a health check node port', async () => {
    const server = testServer()
    const ports = (from: number) =>
      Array.from({ length: 346 }, (_, i) => ({ name: `p${i}`, port: 1 + i, nodePort: from + i }))
    for (let i = 0; i < 8; i++)
      await server.send(
        'POST',
        SERVICES,
        named(`n${i}`, { type: 'NodePort', ports: ports(30_000 + 346 * i) }),
      )
    expect(await server.send('POST', SERVICES, named('more', { type: 'NodePort' }))).toMatchObject(
      full('a nodePort'),
    )
    await server.send('POST', SERVICES, named('more'))
    const change = (spec: JsonObject) => server.send('PATCH', `${SERVICES}/more`, { spec }, MERGE)
    expect(await change({ type: 'NodePort' })).toMatchObject(full('a nodePort'))
    const local = {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: false,
      externalTrafficPolicy: 'Local',
    }
    expect(await change(local)).toMatchObject(full('a HealthCheck NodePort 0'))
  })
})

describe('ranges of service addresses', () => {
  it('reserve their first address for the API server', async () => {
    const { body } = await testServer({ serviceRanges: BOTH }).send<Service>(
      'GET',
      `${SERVICES}/kubernetes`,
    )
    expect(body.spec).toMatchObject({
      clusterIPs: ['10.20.0.1'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    })
  })

  it.each([
    [['10.0.0.0'], 'service-cluster-ip-range[0] is not a valid cidr'],
    [
      ['10.0.0.0/8'],
      'specified --service-cluster-ip-range is too large; for 32-bit addresses, the mask must be >= 12',
    ],
    [
      ['fd00::/64'],
      'specified --service-cluster-ip-range is too large; for 128-bit addresses, the mask must be >= 108',
    ],
    [
      ['10.0.0.0/30'],
      'error determining service IP ranges for primary service cidr: the service cluster IP range must be at least 8 IP addresses',
    ],
    [
      ['10.0.0.0/24', 'fd00::/126'],
      'for secondary service cidr: the service cluster IP range must be at least 8 IP addresses',
    ],
    [
      ['10.0.0.0/24', '10.1.0.0/24'],
      '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family',
    ],
    [
      ['10.0.0.0/24', 'fd00::/112', 'fd01::/112'],
      '--service-cluster-ip-range must not contain more than two entries',
    ],
  ])('rejects %j', (serviceRanges, message) =>
    expect(() => testServer({ serviceRanges })).toThrow(message),
  )
})
