import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import { type Outbound, OutboundError } from '../../src/engine/core/outbound'
import type { ApiServer } from '../../src/engine/server/server'
import { type RequestOptions, sendRequest, testServer } from '../support/server'

/** Widgets: v1, which is stored, has `spec.size`; v2 has `spec.width` instead. */
const properties = (member: string) => ({
  spec: {
    type: 'object',
    properties: { [member]: { type: 'integer' }, color: { type: 'string', default: 'red' } },
  },
})
const version = (name: string, member: string, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: properties(member) } },
  ...more,
})

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const widgets = (served: string, name = '') =>
  `/apis/example.com/${served}/namespaces/default/widgets${name === '' ? '' : `/${name}`}`

interface Sent extends JsonObject {
  apiVersion: string
  metadata: JsonObject
  spec: JsonObject
}
interface Review {
  apiVersion: string
  kind: string
  request: { uid: string; desiredAPIVersion: string; objects: Sent[] }
}

/** What a good webhook makes of an object. */
function converted(object: Sent, apiVersion: string): JsonObject {
  const { size, width, ...rest } = object.spec ?? {}
  const length = size ?? width
  const member = apiVersion.endsWith('v1') ? 'size' : 'width'
  return {
    ...object,
    apiVersion,
    spec: { ...rest, ...(length === undefined ? {} : { [member]: length }) },
  }
}

const good = ({ request }: Review): JsonObject => ({
  result: { status: 'Success' },
  convertedObjects: request.objects.map((object) => converted(object, request.desiredAPIVersion)),
})

let reviews: Review[]
let result: (review: Review) => JsonObject | Promise<JsonObject>
let server: ApiServer
let clock: SimulatedClock

const outbound: Outbound = {
  async post({ body }) {
    const review = JSON.parse(body) as Review
    reviews.push(review)
    const response = { uid: review.request.uid, ...(await result(review)) }
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ kind: review.kind, apiVersion: review.apiVersion, response }),
    }
  },
}

const request = (requested: RequestOptions) => sendRequest(server, requested)
const post = (served: string, name: string, spec: object, more: object = {}) =>
  request({
    method: 'POST',
    path: widgets(served),
    body: {
      apiVersion: `example.com/${served}`,
      kind: 'Widget',
      metadata: { name, ...more },
      spec,
    },
  })

async function define(more: object = {}): Promise<void> {
  const { status } = await request({
    method: 'POST',
    path: CRDS,
    body: {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          version('v1', 'size'),
          version('v2', 'width', { selectableFields: [{ jsonPath: '.spec.width' }] }),
        ],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            clientConfig: { url: 'https://hooks.example.com/convert' },
            conversionReviewVersions: ['v1'],
          },
        },
        ...more,
      },
    },
  })
  expect(status).toBe(201)
  await new Promise((resolve) => setImmediate(resolve))
}

beforeEach(async () => {
  reviews = []
  result = good
  clock = new SimulatedClock()
  server = testServer({ outbound, clock })
  await define()
})
afterEach(() => server.close())

/** Waits until the watch caches have converted all writes, then clears the recorded calls. */
async function cached(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  reviews = []
}

describe('a definition with a conversion webhook', () => {
  it('is not called for objects in the version of the request', async () => {
    await post('v1', 'a', { size: 1 })
    await cached()
    expect((await request({ path: widgets('v1', 'a') })).json.spec).toEqual({
      color: 'red',
      size: 1,
    })
    expect((await request({ path: widgets('v1') })).json.items).toHaveLength(1)
    expect(reviews).toEqual([])
  })

  it('sends a ConversionReview with the stored object and shows what comes back', async () => {
    const { json: stored } = await post('v1', 'a', { size: 1 })
    await cached()
    const { status, json } = await request({ path: widgets('v2', 'a') })
    expect(status).toBe(200)
    expect(json).toEqual({
      ...stored,
      apiVersion: 'example.com/v2',
      spec: { color: 'red', width: 1 },
    })
    expect(reviews).toMatchObject([
      {
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        request: { desiredAPIVersion: 'example.com/v2', objects: [stored] },
      },
    ])
  })

  it('stores objects in the storage version, and responds in the version of the request', async () => {
    const { status, json } = await post('v2', 'a', { width: 7 })
    expect(status).toBe(201)
    expect(json).toMatchObject({ apiVersion: 'example.com/v2', spec: { width: 7, color: 'red' } })
    expect((await request({ path: widgets('v1', 'a') })).json).toMatchObject({
      apiVersion: 'example.com/v1',
      spec: { size: 7 },
    })
  })

  it('converts each object of a list by a call of its own, in their order', async () => {
    for (const name of ['a', 'b', 'c']) await post('v1', name, { size: 1 })
    await cached()
    const { json } = await request({ path: widgets('v2') })
    expect(json.items.map(({ apiVersion, spec }: Sent) => [apiVersion, spec.width])).toEqual(
      Array(3).fill(['example.com/v2', 1]),
    )
    expect(
      reviews.map(({ request: { objects } }) => objects.map(({ metadata }) => metadata.name)),
    ).toEqual([['a'], ['b'], ['c']])
  })

  it('patches, updates and applies through the other version', async () => {
    await post('v1', 'a', { size: 1 })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const patched = await request({
      method: 'PATCH',
      path: widgets('v2', 'a'),
      headers,
      body: { spec: { width: 2 } },
    })
    expect(patched.json).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { width: 2 },
      metadata: { generation: 2 },
    })
    const updated = await request({
      method: 'PUT',
      path: widgets('v2', 'a'),
      body: { ...patched.json, spec: { width: 3 } },
    })
    expect(updated.json).toMatchObject({
      spec: { width: 3, color: 'red' },
      metadata: { generation: 3 },
    })
    const applied = await request({
      method: 'PATCH',
      path: `${widgets('v2', 'a')}?fieldManager=me&force=true`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: {
        apiVersion: 'example.com/v2',
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { width: 4 },
      },
    })
    expect(applied.json).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { width: 4, color: 'red' },
    })
    expect((await request({ path: widgets('v1', 'a') })).json.spec).toEqual({
      color: 'red',
      size: 4,
    })
  })

  it('tracks field managers across versions', async () => {
    const apply = (served: string, manager: string, spec: object) =>
      request({
        method: 'PATCH',
        path: `${widgets(served, 'a')}?fieldManager=${manager}`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: {
          apiVersion: `example.com/${served}`,
          kind: 'Widget',
          metadata: { name: 'a' },
          spec,
        },
      })
    await apply('v1', 'one', { size: 1 })
    const conflict = await apply('v2', 'two', { width: 2 })
    expect(conflict.status).toBe(409)
    expect(conflict.json.message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.size',
    )
    const shared = await apply('v2', 'two', { width: 1 })
    expect(
      shared.json.metadata.managedFields.map(({ manager, apiVersion }: JsonObject) => [
        manager,
        apiVersion,
      ]),
    ).toEqual([
      ['two', 'example.com/v2'],
      ['one', 'example.com/v1'],
    ])
  })

  it('leaves an update that changes nothing without a new revision', async () => {
    const { json } = await post('v2', 'a', { width: 7 })
    const again = await request({ method: 'PUT', path: widgets('v2', 'a'), body: json })
    expect(again.json.metadata.resourceVersion).toBe(json.metadata.resourceVersion)
  })

  it('applies field selectors to the version of the request', async () => {
    await post('v1', 'a', { size: 1 })
    await post('v1', 'b', { size: 2 })
    const { json } = await request({ path: `${widgets('v2')}?fieldSelector=spec.width%3D2` })
    expect(json.items.map(({ metadata }: Sent) => metadata.name)).toEqual(['b'])
  })

  it('lets a webhook change labels and annotations, and nothing else of the metadata', async () => {
    result = (review) => {
      const response = good(review)
      for (const object of response.convertedObjects as Sent[])
        object.metadata = {
          ...object.metadata,
          labels: { added: 'yes' },
          finalizers: ['mine/own'],
          generation: 99,
          ownerReferences: [],
        }
      return response
    }
    await post('v1', 'a', { size: 1 })
    const { metadata } = (await request({ path: widgets('v2', 'a') })).json
    expect(metadata).toMatchObject({ labels: { added: 'yes' }, generation: 1 })
    expect(metadata).not.toHaveProperty('finalizers')
  })

  it('calls the webhook for every read, so that a repaired webhook takes effect', async () => {
    await post('v1', 'a', { size: 1 })
    await request({ path: widgets('v2', 'a') })
    result = (review) => {
      const response = good(review)
      for (const object of response.convertedObjects as Sent[]) object.spec.width = 100
      return response
    }
    expect((await request({ path: widgets('v2', 'a') })).json.spec.width).toBe(100)
  })

  it('prunes fields that the target version does not have', async () => {
    result = (review) => {
      const response = good(review)
      for (const object of response.convertedObjects as Sent[]) object.spec.unknown = true
      return response
    }
    await post('v1', 'a', { size: 1 })
    expect((await request({ path: widgets('v2', 'a') })).json.spec).toEqual({
      color: 'red',
      width: 1,
    })
  })

  it('shows a watch every event in its version and in order', async () => {
    await post('v1', 'a', { size: 1 })
    const response = await server.fetch(
      new Request(`http://localhost${widgets('v2')}?watch=true&timeoutSeconds=60`, {
        headers: { authorization: 'Bearer admin' },
      }),
    )
    for (const name of ['b', 'c']) await post('v1', name, { size: 2 })
    await request({ method: 'DELETE', path: widgets('v1', 'b') })
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(60_000)
    const events = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: Sent })
    expect(
      events.map(({ type, object }) => [
        type,
        object.metadata.name,
        object.apiVersion,
        object.spec.width,
      ]),
    ).toEqual([
      ['ADDED', 'a', 'example.com/v2', 1],
      ['ADDED', 'b', 'example.com/v2', 2],
      ['ADDED', 'c', 'example.com/v2', 2],
      ['DELETED', 'b', 'example.com/v2', 2],
    ])
  })

  it('sends policies and webhooks the version that they match', async () => {
    const policies = '/apis/admissionregistration.k8s.io/v1'
    await request({
      method: 'POST',
      path: `${policies}/validatingadmissionpolicies`,
      body: {
        metadata: { name: 'narrow' },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['example.com'],
                apiVersions: ['v2'],
                operations: ['CREATE'],
                resources: ['widgets'],
              },
            ],
          },
          validations: [{ expression: 'object.spec.width < 10' }],
        },
      },
    })
    await request({
      method: 'POST',
      path: `${policies}/validatingadmissionpolicybindings`,
      body: {
        metadata: { name: 'narrow' },
        spec: { policyName: 'narrow', validationActions: ['Deny'] },
      },
    })
    expect((await post('v1', 'a', { size: 5 })).status).toBe(201)
    const rejected = await post('v1', 'b', { size: 50 })
    expect(rejected.status).toBe(422)
    expect(rejected.json.message).toContain('failed expression: object.spec.width < 10')
  })

  it('deletes its objects with the definition although no webhook converts', async () => {
    await post('v1', 'a', { size: 1 })
    result = () => ({ result: { status: 'Failure', message: 'broken' } })
    await request({ method: 'DELETE', path: `${CRDS}/widgets.example.com` })
    await new Promise((resolve) => setImmediate(resolve))
    expect((await request({ path: `${CRDS}/widgets.example.com` })).status).toBe(404)
  })
})

describe('a webhook that does not convert', () => {
  const FAILED = 'conversion webhook for example.com/v1, Kind=Widget'
  const whole = (change: (object: Sent) => JsonObject | null) => (review: Review) => ({
    ...good(review),
    convertedObjects: (good(review).convertedObjects as Sent[]).map(change),
  })
  const cases: [string, (review: Review) => JsonObject, string][] = [
    [
      'returns a reason',
      () => ({ result: { status: 'Failure', message: 'too old' } }),
      'failed: too old',
    ],
    [
      'returns no status',
      () => ({ result: {} }),
      "failed: response.result.status was '', not 'Success'",
    ],
    [
      'returns another uid',
      (review) => ({ ...good(review), uid: 'x' }),
      'failed: expected response.uid=',
    ],
    [
      'returns too few',
      () => ({ result: { status: 'Success' }, convertedObjects: [] }),
      'returned 0 objects, expected 1',
    ],
    [
      'returns another version',
      whole((object) => ({ ...object, apiVersion: 'example.com/v3' })),
      'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v3)',
    ],
    [
      'returns another kind',
      whole((object) => ({ ...object, kind: 'Gadget' })),
      'returned invalid object at index 0: invalid kind (expected Widget, received Gadget)',
    ],
    [
      'renames',
      whole((object) => ({ ...object, metadata: { ...object.metadata, name: 'b' } })),
      'returned invalid object: must have the same name: a != b',
    ],
    [
      'changes the uid',
      whole((object) => ({ ...object, metadata: { ...object.metadata, uid: 'u' } })),
      'returned invalid object: must have the same UID:',
    ],
    [
      'labels with what is none',
      whole((object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { 'bad key!': 'x' } },
      })),
      'returned invalid metadata: metadata.labels: Invalid value: "bad key!"',
    ],
    [
      'labels with a number',
      whole((object) => ({ ...object, metadata: { ...object.metadata, labels: { n: 1 } } })),
      'returned invalid metadata: metadata.labels[n] must be a string, but is int64 in converted object',
    ],
    [
      'cannot be reached',
      () => {
        throw new OutboundError('dial tcp 10.0.0.1:443: connect: connection refused')
      },
      'failed: Post "https://hooks.example.com/convert?timeout=30s": dial tcp 10.0.0.1:443: connect: connection refused',
    ],
  ]

  it.each(cases)('%s', async (_, failing, message) => {
    await post('v1', 'a', { size: 1 })
    result = failing
    const merge = { 'content-type': 'application/merge-patch+json' }
    for (const requested of [
      { path: widgets('v2', 'a') },
      { path: widgets('v2') },
      {
        method: 'PATCH',
        path: widgets('v2', 'a'),
        headers: merge,
        body: { metadata: { labels: { x: 'y' } } },
      },
      { method: 'DELETE', path: widgets('v2', 'a') },
    ]) {
      const { status, json } = await request(requested)
      expect([status, json.code, json.reason]).toEqual([500, 500, undefined])
      // A patch starts with the cached object, whose form in the stored version it needs first.
      const isPatch = requested.method === 'PATCH'
      const expected = isPatch
        ? message.replace('expected example.com/v2', 'expected example.com/v1')
        : message
      const failed = isPatch ? FAILED.replace('/v1', '/v2') : FAILED
      expect(json.message).toContain(`${failed} ${expected}`)
    }
    expect((await request({ path: widgets('v1', 'a') })).status).toBe(200)
  })

  it('rejects writes in another version', async () => {
    result = () => ({ result: { status: 'Failure', message: 'no' } })
    const { status, json } = await post('v2', 'a', { width: 1 })
    expect([status, json.message]).toEqual([
      500,
      'conversion webhook for example.com/v2, Kind=Widget failed: no',
    ])
    expect((await request({ path: widgets('v1', 'a') })).status).toBe(404)
  })

  it('ends a watch with the reason', async () => {
    const response = await server.fetch(
      new Request(`http://localhost${widgets('v2')}?watch=true`, {
        headers: { authorization: 'Bearer admin' },
      }),
    )
    result = () => ({ result: { status: 'Failure', message: 'no' } })
    await post('v1', 'a', { size: 1 })
    const event = JSON.parse(await response.text())
    expect(event).toMatchObject({ type: 'ERROR', object: { code: 500, reason: 'InternalError' } })
    expect(event.object.message).toBe(
      'Internal error occurred: conversion webhook for example.com/v1, Kind=Widget failed: no',
    )
  })

  it('is waited for until the client times out', async () => {
    await post('v1', 'a', { size: 1 })
    result = () => new Promise(() => {})
    const reading = request({ path: widgets('v2', 'a') })
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(30_000)
    expect((await reading).json.message).toContain(
      '(Client.Timeout exceeded while awaiting headers)',
    )
  })

  it('is counted as a failure in the metrics', async () => {
    await post('v1', 'a', { size: 1 })
    await cached()
    await request({ path: widgets('v2', 'a') })
    result = () => ({ result: { status: 'Success' }, convertedObjects: [] })
    await request({ path: widgets('v2', 'a') })
    const { text } = await request({ path: '/metrics' })
    expect(text).toContain(
      'apiserver_conversion_webhook_request_total{failure_type="",result="success"} 2',
    )
    expect(text).toContain(
      'apiserver_conversion_webhook_request_total{failure_type="conversion_webhook_partial_response_failure",result="failure"} 1',
    )
    expect(text).toContain(
      'apiserver_crd_conversion_webhook_duration_seconds_count{crd_name="widgets.example.com",from_version="v1",succeeded="true",to_version="v2"} 2',
    )
  })
})
