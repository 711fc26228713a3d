import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type TestServer, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const GATES = { ClusterTrustBundle: true, StorageVersionMigrator: true }
const early = () => testServer({ runtimeConfig: { 'api/all': 'true' }, featureGates: GATES })

interface ErrorBody {
  details: { causes: { field: string; message: string }[] }
}

async function causes(
  server: TestServer,
  method: string,
  path: string,
  body: JsonObject,
): Promise<string[]> {
  const { status, body: response } = await server.send<ErrorBody>(
    method,
    path,
    body,
    method === 'PATCH' ? MERGE : undefined,
  )
  expect(status, JSON.stringify(response)).toBe(422)
  return response.details.causes.map(({ field, message }) => `${field}: ${message}`)
}
const ADDRESSES = '/apis/networking.k8s.io/v1beta1/ipaddresses'
const parentRef = { resource: 'services', namespace: 'default', name: 'a' }

describe('a range of service addresses', () => {
  const RANGES = '/apis/networking.k8s.io/v1beta1/servicecidrs'

  it.each([
    [
      ['10.1.0.0/24', 'none'],
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
    [['none'], `netip.ParsePrefix("none"): no '/'`],
    [['10.1.0.0/024'], 'netip.ParsePrefix("10.1.0.0/024"): bad bits after slash: "024"'],
    [
      ['010.1.0.0/24'],
      'netip.ParsePrefix("010.1.0.0/24"): ParseAddr("010.1.0.0"): IPv4 field has octet with leading zero',
    ],
    [['10.1.0.9/24'], "wrong CIDR format, IP doesn't match network IP address"],
    [['FD00::/64'], 'CIDR not in RFC 5952 canonical format'],
    [
      ['fd00:1/64'],
      'netip.ParsePrefix("fd00:1/64"): ParseAddr("fd00:1"): address string too short',
    ],
  ])('accepts a network or a dual-stack pair: %j', async (cidrs, why) => {
    const found = await causes(early(), 'POST', RANGES, {
      metadata: { name: 'a' },
      spec: { cidrs },
    })
    expect(found.map((text) => text.slice(-why.length))).toEqual([why])
  })

  it('cannot be removed', async () => {
    const server = early()
    await server.send('POST', RANGES, { metadata: { name: 'a' }, spec: { cidrs: ['10.1.0.0/24'] } })
    expect(
      await causes(server, 'PUT', `${RANGES}/a`, { metadata: { name: 'a' }, spec: {} }),
    ).toEqual([
      'spec.cidrs: Required value: at least one CIDR required',
      'spec.cidrs: Invalid value: []string(nil): field is immutable',
    ])
  })

  it('records the owner of a status that is written through the main resource', async () => {
    const server = early()
    await server.send('POST', RANGES, { metadata: { name: 'a' }, spec: { cidrs: ['10.1.0.0/24'] } })
    const { body } = await server.send(
      'PATCH',
      `${RANGES}/a`,
      { status: { conditions: [] } },
      MERGE,
    )
    expect(body.status).toEqual({})
    const condition = {
      type: 'Ready',
      status: 'True',
      reason: 'R',
      message: 'm',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    const { body: written } = await server.send(
      'PATCH',
      `${RANGES}/a`,
      { status: { conditions: [condition] } },
      MERGE,
    )
    expect(JSON.stringify(written.metadata.managedFields)).toContain('f:status')
  })

  it('keeps the status of a create request', async () => {
    const status = {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'R',
          message: 'm',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    }
    const { body } = await early().send('POST', RANGES, {
      metadata: { name: 'a' },
      spec: { cidrs: ['10.1.0.0/24'] },
      status,
    })
    expect(body.status).toEqual(status)
  })
})

it('a headless service can be updated with MultiCIDRServiceAllocator', async () => {
  const server = testServer({
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { MultiCIDRServiceAllocator: true },
  })
  const SERVICES = '/api/v1/namespaces/default/services'
  await server.send('POST', SERVICES, {
    metadata: { name: 'a' },
    spec: { clusterIP: 'None', ports: [{ port: 80 }] },
  })
  expect(
    (await server.send('PATCH', `${SERVICES}/a`, { spec: { ports: [{ port: 81 }] } }, MERGE))
      .status,
  ).toBe(200)
})

it('services get addresses of every ready ServiceCIDR until it is deleted', async () => {
  const server = testServer({
    runtimeConfig: { 'api/all': 'true' },
    featureGates: { MultiCIDRServiceAllocator: true },
    serviceRanges: ['10.20.0.0/29'],
  })
  const SERVICES = '/api/v1/namespaces/default/services'
  const RANGES = '/apis/networking.k8s.io/v1beta1/servicecidrs'
  let made = 0
  const service = (spec: JsonObject = {}, query = '') =>
    server.send<KubeObject & { message?: string }>('POST', `${SERVICES}${query}`, {
      metadata: { name: `s${made++}` },
      spec: { ports: [{ port: 80 }], ...spec },
    })
  const OUTSIDE = 'the provided network does not match the current range'
  expect((await service({ clusterIP: '10.30.0.1' })).body.message).toContain(OUTSIDE)
  await server.send('POST', RANGES, {
    metadata: { name: 'more', finalizers: ['example.com/wait'] },
    spec: { cidrs: ['10.30.0.0/24'] },
  })
  expect((await service({ clusterIP: '10.30.0.1' })).status).toBe(201)
  // A dry run uses only the range from the flags.
  expect((await service({ clusterIP: '10.30.0.2' }, '?dryRun=All')).body.message).toContain(
    'The range of valid IPs is 10.20.0.0/29',
  )
  for (let i = 0; i < 5; i++)
    expect((await service()).body.spec).toMatchObject({
      clusterIP: expect.stringMatching(/^10\.20\./),
    })
  expect((await service()).body.spec).toMatchObject({
    clusterIP: expect.stringMatching(/^10\.30\./),
  })
  const isReady = (status: string) =>
    server.send(
      'PATCH',
      `${RANGES}/more/status`,
      {
        status: {
          conditions: [
            {
              type: 'Ready',
              status,
              reason: 'R',
              message: '',
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
          ],
        },
      },
      MERGE,
    )
  await isReady('False')
  expect((await service()).body.message).toContain('range is full')
  await isReady('True')
  expect((await service({ clusterIP: '10.30.0.3' })).status).toBe(201)
  await server.send('DELETE', `${RANGES}/more`)
  expect((await service({ clusterIP: '10.30.0.4' })).body.message).toContain(OUTSIDE)
})

it('an IPAddress uses its generateName as its name', async () => {
  const { body } = await early().send('POST', ADDRESSES, {
    metadata: { generateName: '10.0.0.8' },
    spec: { parentRef },
  })
  expect(body.metadata.name).toBe('10.0.0.8')
})
