import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { MANDATORY, mandatorySpec } from '../../src/engine/flow-control/mandatory'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { tablesOf } from '../../src/engine/release-tables/tables'
import { testServer } from '../registry/server'

beforeAll(() => loadTables('1.35'))

const NAMESPACE = '/api/v1/namespaces/default'
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'

type Failure = { message: string; reason?: string; code: number }

describe('responses of 1.31 and 1.33', () => {
  const at = (release: string) => testServer({ release })

  it('are 500 and 400 for a list at a resource version that is not a number', async () => {
    const list = (release: string) =>
      at(release).send<Failure>('GET', `${NAMESPACE}/configmaps?resourceVersion=x`)
    expect((await list('1.31')).status).toBe(500)
    const { status, body } = await list('1.33')
    expect(status).toBe(400)
    expect(body.message).toContain('invalid resource version: resourceVersion: Invalid value: "x"')
  })

  it('name the scale or the workload that does not exist', async () => {
    const read = async (release: string) => {
      const path = '/apis/apps/v1/namespaces/default/replicasets/none/scale'
      return (await at(release).send<Failure>('GET', path)).body.message
    }
    expect(await read('1.31')).toBe('replicasets/scale.apps "none" not found')
    expect(await read('1.33')).toBe('replicasets.apps "none" not found')
  })

  it('warn about the annotation for mountable secrets where it is added', async () => {
    const annotated = {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' },
      },
    }
    const warnings = async (release: string) => {
      const { send } = at(release)
      const created = await send('POST', `${NAMESPACE}/serviceaccounts`, annotated)
      const updated = await send('PUT', `${NAMESPACE}/serviceaccounts/a`, annotated)
      return [created, updated].map(({ headers }) => headers.warning)
    }
    expect(await warnings('1.31')).toEqual([undefined, undefined])
    expect(await warnings('1.33')).toEqual([
      [expect.stringContaining('deprecated in v1.32+')],
      undefined,
    ])
  })

  it('have one error for each wrong endpoint address', async () => {
    const slice = (...addresses: string[]): JsonObject => ({
      kind: 'EndpointSlice',
      apiVersion: 'discovery.k8s.io/v1',
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: addresses.map((address) => ({ addresses: [address] })),
    })
    const wrong = slice('10.1', '2001:db8::1')
    const messages = async (release: string) =>
      (await at(release).send<Failure>('POST', SLICES, wrong)).body.message
    expect(await messages('1.31')).toContain(
      'endpoints[0].addresses[0]: Invalid value: "10.1": must be a valid IPv4 address',
    )
    expect(await messages('1.33')).toContain(
      '[endpoints[0].addresses[0]: Invalid value: "10.1": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), endpoints[1].addresses: Invalid value: "2001:db8::1": must be an IPv4 address]',
    )
  })

  it('reject the stream of a log where the gate exists and is off', async () => {
    const read = (release: string) =>
      at(release).send<Failure>('GET', `${NAMESPACE}/pods/none/log?stream=All`)
    expect((await read('1.31')).status).toBe(404)
    const { status, body } = await read('1.33')
    expect(status).toBe(422)
    expect(body.message).toContain('stream: Forbidden: may not be specified')
  })
})

describe('storage versions in discovery', () => {
  it('are those that the previous release served', async () => {
    const hashOf = async (release: string, group: string, resource: string) => {
      const { body } = await testServer({ release }).send<{
        resources: { name: string; storageVersionHash?: string }[]
      }>('GET', `/apis/${group}/v1`)
      return body.resources.find(({ name }) => name === resource)?.storageVersionHash
    }
    // v1 comes with 1.33, which therefore stores v1beta1.
    const addresses = ['networking.k8s.io', 'ipaddresses'] as const
    expect(await hashOf('1.33', ...addresses)).toBe('O4H8VxQhW5Y=')
    expect(await hashOf('1.34', ...addresses)).toBe('3f/plJFChNE=')
    // The server keeps v1beta1 for two releases more.
    expect(await hashOf('1.35', 'storage.k8s.io', 'volumeattributesclasses')).toBe('Bl3MtjZ/n/s=')
  })
})

it('mandatory objects of flow control have the specs of the release', () => {
  for (const release of ['1.31', '1.33', '1.35'])
    for (const kind of ['FlowSchema', 'PriorityLevelConfiguration'])
      for (const name of MANDATORY)
        expect(mandatorySpec(kind, name, tablesOf(release))).toBeDefined()
  expect(mandatorySpec('FlowSchema', 'probes', tablesOf('1.33'))).toBeUndefined()
})
