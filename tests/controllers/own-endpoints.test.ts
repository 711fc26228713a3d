/**
 * The endpoints of the Service `default/kubernetes`. Recorded from kube-apiserver 1.31 with the
 * same changes.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { ApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { sendRequest, testServer } from '../support/server'

const CORE = '/api/v1/namespaces/default'
const ENDPOINTS = `${CORE}/endpoints/kubernetes`
const SLICE = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'
const ADVERTISED = { address: '10.1.2.3', port: 16_443 }

let clock: SimulatedClock
let server: ApiServer
afterEach(() => server.close())

async function begin(
  options: Partial<ApiServerOptions> = { advertised: ADVERTISED },
): Promise<void> {
  clock = new SimulatedClock()
  server = testServer({ clock, ...options })
  await sendRequest(server, { path: '/readyz' })
  await settled()
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

async function pass(seconds: number): Promise<void> {
  await settled()
  clock.advance(seconds * 1000)
  await settled()
}

const patch = (path: string, body: object) =>
  sendRequest(server, {
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const read = async (path: string) => (await sendRequest(server, { path })).json
const port = (number: number) => ({ name: 'https', port: number, protocol: 'TCP' })

describe('endpoints of the Service kubernetes', () => {
  it('contain the advertised address and the HTTPS port', async () => {
    await begin()
    expect(await read(ENDPOINTS)).toMatchObject({
      metadata: {
        labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
        managedFields: [{ manager: 'kube-apiserver', operation: 'Update' }],
      },
      subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [port(16_443)] }],
    })
    const { metadata, ...slice } = await read(SLICE)
    expect(slice).toEqual({
      kind: 'EndpointSlice',
      apiVersion: 'discovery.k8s.io/v1',
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
      ports: [port(16_443)],
    })
    expect(metadata).toMatchObject({
      generation: 1,
      labels: { 'kubernetes.io/service-name': 'kubernetes' },
    })
    expect(metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toEqual([
      'kube-apiserver',
    ])
  })

  it('with an IPv6 address have a slice of that type', async () => {
    await begin({ advertised: { address: 'fd00::1', port: 6443 } })
    expect(await read(SLICE)).toMatchObject({
      addressType: 'IPv6',
      endpoints: [{ addresses: ['fd00::1'] }],
    })
  })

  it('keep added ports, labels and annotations; the slice does not', async () => {
    await begin()
    const changed = { metadata: { labels: { foo: 'bar' }, annotations: { a: 'b' } } }
    await patch(ENDPOINTS, {
      ...changed,
      subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [port(1)] }],
    })
    await patch(SLICE, { ...changed, ports: [port(2)] })
    await pass(10)
    expect(await read(ENDPOINTS)).toMatchObject({
      metadata: {
        labels: { foo: 'bar', 'endpointslice.kubernetes.io/skip-mirror': 'true' },
        annotations: { a: 'b' },
      },
      subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [port(1)] }],
    })
    const { metadata, ports } = await read(SLICE)
    expect([metadata.labels, metadata.annotations, ports]).toEqual([
      { 'kubernetes.io/service-name': 'kubernetes' },
      undefined,
      [port(1)],
    ])
  })

  it('regain their addresses within ten seconds, and keep notReadyAddresses', async () => {
    await begin()
    await patch(ENDPOINTS, {
      subsets: [
        {
          addresses: [{ ip: '10.1.2.4' }],
          notReadyAddresses: [{ ip: '10.1.2.9' }],
          ports: [port(1)],
        },
      ],
    })
    await settled()
    expect((await read(ENDPOINTS)).subsets[0].addresses).toEqual([{ ip: '10.1.2.4' }])
    await pass(10)
    expect((await read(ENDPOINTS)).subsets).toEqual([
      {
        addresses: [{ ip: '10.1.2.3' }],
        notReadyAddresses: [{ ip: '10.1.2.9' }],
        ports: [port(1)],
      },
    ])
    expect((await read(SLICE)).endpoints).toEqual([
      { addresses: ['10.1.2.3'], conditions: { ready: true } },
      { addresses: ['10.1.2.9'], conditions: { ready: false } },
    ])
  })

  it('are rewritten when they have zero or several subsets, and skip mirroring', async () => {
    await begin()
    const subset = (number: number) => ({
      addresses: [{ ip: `10.1.2.${number}` }],
      ports: [port(number)],
    })
    for (const subsets of [[], [subset(4), subset(5)]]) {
      await patch(ENDPOINTS, {
        metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'false' } },
        subsets,
      })
      await pass(10)
      expect(await read(ENDPOINTS)).toMatchObject({
        metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
        subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [port(16_443)] }],
      })
    }
  })

  it('are recreated after deletion', async () => {
    await begin()
    for (const path of [ENDPOINTS, SLICE])
      expect((await sendRequest(server, { method: 'DELETE', path })).status).toBe(200)
    await pass(10)
    expect((await read(ENDPOINTS)).subsets).toHaveLength(1)
    expect((await read(SLICE)).endpoints).toHaveLength(1)
  })

  it.each(['127.0.0.1', '169.254.1.1', '0.0.0.0', '::1'])(
    'are not created for %s',
    async (address) => {
      const warnings: string[] = []
      const log = {
        error: (message: string) => expect.fail(message),
        warn: (message: string) => void warnings.push(message),
      }
      await begin({ advertised: { address, port: 6443 }, log })
      expect((await sendRequest(server, { path: ENDPOINTS })).status).toBe(404)
      expect(warnings).toEqual([
        expect.stringContaining(`the service kubernetes has no endpoints: ${address}: may not be`),
      ])
    },
  )

  it('are not created without an advertised address', async () => {
    await begin({})
    for (const path of [ENDPOINTS, SLICE])
      expect((await sendRequest(server, { path })).status).toBe(404)
  })
})

describe('several servers over one store', () => {
  it('are listed together, each until it stops', async () => {
    clock = new SimulatedClock()
    const storage = createMemoryStorage()
    const start = (address: string) =>
      testServer({ clock, storage, advertised: { address, port: 6443 }, electionIdentity: address })
    server = start('10.1.2.3')
    const other = start('10.1.2.4')
    for (const one of [server, other]) await sendRequest(one, { path: '/readyz' })
    const addresses = async () =>
      (await read(ENDPOINTS)).subsets[0].addresses.map(({ ip }: { ip: string }) => ip)
    await pass(10)
    expect(await addresses()).toEqual(['10.1.2.3', '10.1.2.4'])
    // A crashed server removes nothing. Its lease expires.
    await storage.transaction(
      [],
      [
        {
          type: 'put',
          key: '/kubetab/api-servers/10.1.2.9',
          object: leaseOf('10.1.2.9', clock.now()),
        },
      ],
    )
    await pass(10)
    expect(await addresses()).toEqual(['10.1.2.3', '10.1.2.4', '10.1.2.9'])
    await pass(10)
    expect(await addresses()).toEqual(['10.1.2.3', '10.1.2.4'])
    const { close } = storage
    storage.close = async () => {}
    await other.close()
    storage.close = close
    expect(await addresses()).toEqual(['10.1.2.3'])
  })
})

const leaseOf = (name: string, now: number) => ({
  kind: 'Lease',
  apiVersion: 'kubetab/v1',
  metadata: { name, resourceVersion: '0' },
  spec: { renewTime: new Date(now).toISOString() },
})
