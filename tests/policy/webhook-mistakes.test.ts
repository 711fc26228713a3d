/** What the server makes of webhooks that answer oddly, spoil what is the server's, or take too long. */
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/environment'
import type { JsonObject } from '../../src/engine/object'
import type { Outbound } from '../../src/engine/outbound'
import { type Answer, ask, testServer } from '../support/server'

interface Review extends JsonObject {
  request: { uid: string; object?: JsonObject & { metadata: JsonObject }; resource: { resource: string }; name: string }
}

const PODS = '/api/v1/namespaces/default/pods'
const RULES: JsonObject[] = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['*'] }]
const patch = (...operations: JsonObject[]): JsonObject => ({ patchType: 'JSONPatch', patch: btoa(JSON.stringify(operations)) })
const pod = (name: string, metadata: JsonObject = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }] },
})

/** Answers every review by what `behave` makes of it. */
const answering = (behave: (review: Review) => JsonObject): Outbound => ({
  async post({ body }) {
    const review = JSON.parse(body) as Review
    return { status: 200, contentType: 'application/json', body: JSON.stringify(behave(review)) }
  },
})
const allowing = (behave: (review: Review) => JsonObject) =>
  answering((review) => ({
    kind: review.kind ?? '',
    apiVersion: review.apiVersion ?? '',
    response: { uid: review.request.uid, allowed: true, ...behave(review) },
  }))

async function serverWith(outbound: Outbound, kind: 'mutating' | 'validating', more: JsonObject = {}, clock = new SimulatedClock()) {
  const server = testServer({ outbound, clock, disableAdmissionPlugins: ['ServiceAccount'] })
  await ask(server, { method: 'POST', path: PODS, body: pod('old', { ownerReferences: [owner] }) })
  const hook = { name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'], rules: RULES, ...more }
  const webhooks = [{ ...hook, clientConfig: { url: 'https://hooks.example.com/a' } }]
  const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`
  expect((await ask(server, { method: 'POST', path, body: { metadata: { name: 'a' }, webhooks } })).status).toBe(201)
  return (method: string, name: string, body: unknown, type = 'application/json', query = '') =>
    ask(server, { method, path: `${PODS}${name}${query}`, body, headers: { 'content-type': type } })
}

const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u-1' }
const whyNot = ({ json }: Answer): string => String(json.message).replace(/^.*invalid webhook response: /, '')

describe('an answer', () => {
  it('in v1beta1 need not say what it is, nor of what type its patch is', async () => {
    const add = btoa('[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]')
    const send = await serverWith(
      answering(() => ({ response: { allowed: true, patch: add, patchType: 'other' } })),
      'mutating',
      {
        admissionReviewVersions: ['v1beta1'],
      },
    )
    const { status, json } = await send('POST', '', pod('x'))
    expect([status, json.metadata.labels]).toEqual([201, { a: 'b' }])
  })

  it.each<[string, JsonObject, 201 | 500, string]>([
    ['v1', { patch: btoa('[]') }, 500, 'validating webhook may not return response.patch'],
    ['v1', { patchType: 'JSONPatch' }, 500, 'validating webhook may not return response.patchType'],
    ['v1beta1', patch(), 201, 'undefined'],
  ])('of one that validates has no patch in %s: %j', async (version, response, status, message) => {
    const send = await serverWith(
      allowing(() => response),
      'validating',
      { admissionReviewVersions: [version] },
    )
    const answer = await send('POST', '', pod('x'))
    expect([answer.status, whyNot(answer)]).toEqual([status, message])
  })

  it('with a patch of an empty type is none', async () => {
    const send = await serverWith(
      allowing(() => ({ patch: btoa('[]'), patchType: '' })),
      'mutating',
    )
    expect(whyNot(await send('POST', '', pod('x')))).toBe('webhook returned invalid response.patchType of ""')
  })
})

describe('what a webhook spoils', () => {
  const writes: [string, string, string, unknown, string?][] = [
    ['a create', 'POST', '', pod('x', { ownerReferences: [owner] })],
    ['an update', 'PUT', '/old', pod('old', { ownerReferences: [owner] })],
    ['a patch', 'PATCH', '/old', { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json'],
    [
      'an apply',
      'PATCH',
      '/x',
      { apiVersion: 'v1', kind: 'Pod', ...pod('x', { ownerReferences: [owner] }) },
      'application/apply-patch+yaml',
    ],
  ]
  const query = (type = '') => (type.includes('apply') ? '?fieldManager=m' : '')

  it.each(writes)('of who owns what stays as it was through %s, with a warning', async (_, method, name, body, type) => {
    const spoil = patch({ op: 'remove', path: '/metadata/managedFields/0/fieldsType' })
    const send = await serverWith(
      allowing(({ request }) => (request.object?.metadata.managedFields ? spoil : {})),
      'mutating',
    )
    const { json, headers } = await send(method, name, body, type, query(type))
    expect(json.metadata.managedFields[0].fieldsType).toBe('FieldsV1')
    expect(headers.get('warning')).toBe(
      '299 - ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: missing fieldsType in managed fields entry 0"',
    )
  })

  it.each(writes)('of owners by naming one again through %s is folded, and told as its doing', async (_, method, name, body, type) => {
    const send = await serverWith(
      allowing(() => patch({ op: 'add', path: '/metadata/ownerReferences/-', value: owner })),
      'mutating',
    )
    const { json, headers } = await send(method, name, body, type, query(type))
    expect(json.metadata.ownerReferences).toEqual([owner])
    expect(headers.get('warning')).toContain('contains duplicate entries after mutating admission happens;')
  })
})

it('is asked of bindings as a resource, too', async () => {
  const asked: string[] = []
  const outbound = allowing(({ request: { resource, name } }) => {
    asked.push(`${resource.resource} ${name}`)
    return {}
  })
  const send = await serverWith(outbound, 'validating')
  const body = { metadata: { name: 'old' }, target: { kind: 'Node', name: 'n' } }
  expect((await send('POST', '/../bindings', body)).status).toBe(201)
  expect(asked).toEqual(['bindings old'])
})

describe('the time of a request', () => {
  it('is what webhooks have at most, and less with every one before', async () => {
    const clock = new SimulatedClock()
    const given: (string | null)[] = []
    const outbound: Outbound = {
      async post({ url, body }) {
        given.push(new URL(url).searchParams.get('timeout'))
        clock.advance(1500)
        const { request, kind, apiVersion } = JSON.parse(body) as Review
        const review = { kind, apiVersion, response: { uid: request.uid, allowed: true } }
        return { status: 200, contentType: 'application/json', body: JSON.stringify(review) }
      },
    }
    const send = await serverWith(outbound, 'mutating', { timeoutSeconds: 4 }, clock)
    const timed = (seconds: string) =>
      send('PATCH', '/old', { metadata: { labels: { a: seconds } } }, 'application/merge-patch+json', seconds)
    await timed('?timeout=3s')
    await timed('?timeout=2500ms')
    await timed('?timeout=30s')
    await timed('?timeout=0s')
    expect(given).toEqual(['3s', '3s', '4s', '4s'])
  })

  it('ends it whatever the failure policy, and no other webhook is asked', async () => {
    const clock = new SimulatedClock()
    const outbound: Outbound = {
      post: () =>
        new Promise(() => {
          queueMicrotask(() => clock.advance(3000))
        }),
    }
    const send = await serverWith(outbound, 'mutating', { failurePolicy: 'Ignore', timeoutSeconds: 5 }, clock)
    const { status, headers, json } = await send('POST', '', pod('x'), undefined, '?timeout=3s')
    expect([status, headers.get('content-type')]).toEqual([504, 'text/plain; charset=utf-8'])
    expect(json).toMatchObject({ reason: 'Timeout', message: 'Timeout: request did not complete within the allotted timeout' })
  })
})
