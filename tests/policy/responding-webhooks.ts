import { expect } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import type { Outbound } from '../../src/engine/core/outbound'
import { sendRequest, testServer } from '../support/server'

export interface Review extends JsonObject {
  request: {
    uid: string
    object?: JsonObject & { metadata: JsonObject }
    resource: { resource: string }
    name: string
  }
}

const PODS = '/api/v1/namespaces/default/pods'
const RULES: JsonObject[] = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['*'] },
]
export const patch = (...operations: JsonObject[]): JsonObject => ({
  patchType: 'JSONPatch',
  patch: btoa(JSON.stringify(operations)),
})
export const pod = (name: string, metadata: JsonObject = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }] },
})

/** Responds to every review with the result of `behave`. */
export const responding = (behave: (review: Review) => JsonObject): Outbound => ({
  async post({ body }) {
    const review = JSON.parse(body) as Review
    return { status: 200, contentType: 'application/json', body: JSON.stringify(behave(review)) }
  },
})
export const allowing = (behave: (review: Review) => JsonObject) =>
  responding((review) => ({
    kind: review.kind ?? '',
    apiVersion: review.apiVersion ?? '',
    response: { uid: review.request.uid, allowed: true, ...behave(review) },
  }))

export async function serverWith(
  outbound: Outbound,
  kind: 'mutating' | 'validating',
  more: JsonObject = {},
  clock = new SimulatedClock(),
  timeLimits = {},
) {
  const server = testServer({
    outbound,
    clock,
    timeLimits,
    disableAdmissionPlugins: ['ServiceAccount'],
  })
  await sendRequest(server, {
    method: 'POST',
    path: PODS,
    body: pod('old', { ownerReferences: [owner] }),
  })
  const hook = {
    name: 'a.example.com',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    rules: RULES,
    ...more,
  }
  const webhooks = [{ ...hook, clientConfig: { url: 'https://hooks.example.com/a' } }]
  const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`
  expect(
    (
      await sendRequest(server, {
        method: 'POST',
        path,
        body: { metadata: { name: 'a' }, webhooks },
      })
    ).status,
  ).toBe(201)
  return (method: string, name: string, body: unknown, type = 'application/json', query = '') =>
    sendRequest(server, {
      method,
      path: `${PODS}${name}${query}`,
      body,
      headers: { 'content-type': type },
    })
}

export const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u-1' }
