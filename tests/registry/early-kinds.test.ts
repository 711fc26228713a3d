/** Kinds of versions that are not served unless somebody asks for them: what their updates pass, and what waits for its gate. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/object'
import { type TestServer, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const early = () => testServer({ runtimeConfig: { 'api/all': 'true' } })

interface Refusal {
  details: { causes: { field: string; message: string }[] }
}

async function causes(server: TestServer, method: string, path: string, body: JsonObject): Promise<string[]> {
  const { status, body: answer } = await server.send<Refusal>(method, path, body, method === 'PATCH' ? MERGE : undefined)
  expect(status, JSON.stringify(answer)).toBe(422)
  return answer.details.causes.map(({ field, message }) => `${field}: ${message}`)
}

const refusedFields = async (server: TestServer, path: string, change: JsonObject) =>
  (await causes(server, 'PATCH', path, change)).map((text) => text.slice(0, text.indexOf(':')))

const CLASSES = '/apis/storage.k8s.io/v1beta1/volumeattributesclasses'
const ADDRESSES = '/apis/networking.k8s.io/v1beta1/ipaddresses'
const MIGRATIONS = '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations'
const DEVICES = '/apis/resource.k8s.io/v1alpha3/deviceclasses'
const CONTEXTS = '/apis/resource.k8s.io/v1alpha3/namespaces/default/podschedulingcontexts'
const parentRef = { resource: 'services', namespace: 'default', name: 'a' }

describe('an update', () => {
  it.each<[path: string, object: JsonObject, change: JsonObject, fields: string[]]>([
    [
      CLASSES,
      { metadata: { name: 'a' }, driverName: 'd', parameters: { a: 'b' } },
      { parameters: null },
      ['parameters', 'parameters', 'parameters'],
    ],
    [
      ADDRESSES,
      { metadata: { name: '10.0.0.9' }, spec: { parentRef } },
      { spec: { parentRef: null } },
      ['spec.parentRef', 'spec.parentRef'],
    ],
    [
      MIGRATIONS,
      { metadata: { name: 'a' }, spec: { resource: { version: 'v1', resource: 'pods' } } },
      { spec: { resource: { resource: '' } } },
      ['spec.resource.resource', 'resource'],
    ],
    [DEVICES, { metadata: { name: 'a' }, spec: {} }, { spec: { selectors: [{}] } }, ['spec.selectors[0].cel', 'spec.selectors[0].cel']],
    [
      CONTEXTS,
      { metadata: { name: 'a' }, spec: {} },
      { spec: { potentialNodes: ['A_'] } },
      ['spec.potentialNodes[0]', 'spec.potentialNodes[0]'],
    ],
  ])('of %s goes over the object as often as over the change', async (path, object, change, fields) => {
    const server = early()
    expect((await server.send('POST', path, object)).status).toBe(201)
    const { name } = object.metadata as { name: string }
    expect(await refusedFields(server, `${path}/${name}`, change)).toEqual(fields)
  })
})

it('drops what a driver’s own controller would need, which waits for its feature gate', async () => {
  const CLAIMS = '/apis/resource.k8s.io/v1alpha3/namespaces/default/resourceclaims'
  const claim = { metadata: { name: 'a' }, spec: { controller: 'd.example', devices: {} } }
  const { body } = await early().send('POST', CLAIMS, claim)
  expect((body.spec as JsonObject).controller).toBeUndefined()
})

it('keeps a claim as it was made', async () => {
  const CLAIMS = '/apis/resource.k8s.io/v1alpha3/namespaces/default/resourceclaims'
  const server = early()
  await server.send('POST', CLAIMS, { metadata: { name: 'a' }, spec: { devices: {} } })
  expect(await refusedFields(server, `${CLAIMS}/a`, { spec: { devices: { requests: [{ name: 'r', deviceClassName: 'c' }] } } })).toEqual([
    'spec',
  ])
})

describe('a range of service addresses', () => {
  const RANGES = '/apis/networking.k8s.io/v1beta1/servicecidrs'

  it('is a pair of two families, or one', async () => {
    const found = await causes(early(), 'POST', RANGES, { metadata: { name: 'a' }, spec: { cidrs: ['10.1.0.0/24', 'none'] } })
    expect(found.map((text) => text.slice(0, text.indexOf(':')))).toEqual(['spec.cidrs', 'spec.cidrs[1]'])
  })

  it('takes its status from whoever writes it', async () => {
    const status = {
      conditions: [{ type: 'Ready', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    }
    const { body } = await early().send('POST', RANGES, { metadata: { name: 'a' }, spec: { cidrs: ['10.1.0.0/24'] }, status })
    expect(body.status).toEqual(status)
  })
})
