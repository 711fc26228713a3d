/** A kind that a webhook converts: v1, which is stored, has `spec.size`; v2 has `spec.width` instead. */
import { afterEach, beforeEach, expect } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import type { Outbound } from '../../src/engine/core/outbound'
import type { ApiServer } from '../../src/engine/server/server'
import { type RequestOptions, sendRequest, testServer } from '../support/server'

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

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const widgets = (served: string, name = '') =>
  `/apis/example.com/${served}/namespaces/default/widgets${name === '' ? '' : `/${name}`}`

export interface Sent extends JsonObject {
  apiVersion: string
  metadata: JsonObject
  spec: JsonObject
}
export interface Review {
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

export const good = ({ request }: Review): JsonObject => ({
  result: { status: 'Success' },
  convertedObjects: request.objects.map((object) => converted(object, request.desiredAPIVersion)),
})

export let reviews: Review[]
export const webhook: { result(review: Review): JsonObject | Promise<JsonObject> } = {
  result: good,
}
export let server: ApiServer
export let clock: SimulatedClock

const outbound: Outbound = {
  async post({ body }) {
    const review = JSON.parse(body) as Review
    reviews.push(review)
    const response = { uid: review.request.uid, ...(await webhook.result(review)) }
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ kind: review.kind, apiVersion: review.apiVersion, response }),
    }
  },
}

export const request = (requested: RequestOptions) => sendRequest(server, requested)
export const post = (served: string, name: string, spec: object, more: object = {}) =>
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

/** Call it in each file of tests: files share this module, so it registers no hooks itself. */
export function setUpEachTest(): void {
  beforeEach(async () => {
    reviews = []
    webhook.result = good
    clock = new SimulatedClock()
    server = testServer({ outbound, clock })
    await define()
  })
  afterEach(() => server.close())
}

/** Waits until the watch caches have converted all writes, then clears the recorded calls. */
export async function cached(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  reviews = []
}
