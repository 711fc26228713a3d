/** Webhooks that respond incorrectly, change server-managed fields, or time out. */
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import type { Outbound } from '../../src/engine/core/outbound'
import type { TestResponse } from '../support/server'
import { allowing, patch, pod, type Review, responding, serverWith } from './responding-webhooks'

const whyNot = ({ json }: TestResponse): string =>
  String(json.message).replace(/^.*invalid webhook response: /, '')

describe('a webhook response', () => {
  it('may omit kind and patchType in v1beta1', async () => {
    const add = btoa('[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]')
    const send = await serverWith(
      responding(() => ({ response: { allowed: true, patch: add, patchType: 'other' } })),
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
    const result = await send('POST', '', pod('x'))
    expect([result.status, whyNot(result)]).toEqual([status, message])
  })

  it('with an empty patchType is rejected', async () => {
    const send = await serverWith(
      allowing(() => ({ patch: btoa('[]'), patchType: '' })),
      'mutating',
    )
    expect(whyNot(await send('POST', '', pod('x')))).toBe(
      'webhook returned invalid response.patchType of ""',
    )
  })
})

it('call the webhook for the binding as a resource, too', async () => {
  const requested: string[] = []
  const outbound = allowing(({ request: { resource, name } }) => {
    requested.push(`${resource.resource} ${name}`)
    return {}
  })
  const send = await serverWith(outbound, 'validating')
  const body = { metadata: { name: 'old' }, target: { kind: 'Node', name: 'n' } }
  expect((await send('POST', '/../bindings', body)).status).toBe(201)
  expect(requested).toEqual(['bindings old'])
})

describe('the request deadline', () => {
  it('limits the timeout of webhooks, and shrinks with each call', async () => {
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
      send(
        'PATCH',
        '/old',
        { metadata: { labels: { a: seconds } } },
        'application/merge-patch+json',
        seconds,
      )
    await timed('?timeout=3s')
    await timed('?timeout=2500ms')
    await timed('?timeout=30s')
    await timed('?timeout=0s')
    expect(given).toEqual(['3s', '3s', '4s', '4s'])
  })

  it('ends the request whatever failurePolicy, without further webhook calls', async () => {
    const clock = new SimulatedClock()
    const outbound: Outbound = {
      post: () =>
        new Promise(() => {
          queueMicrotask(() => clock.advance(3000))
        }),
    }
    const send = await serverWith(
      outbound,
      'mutating',
      { failurePolicy: 'Ignore', timeoutSeconds: 5 },
      clock,
    )
    const { status, headers, json } = await send('POST', '', pod('x'), undefined, '?timeout=3s')
    expect([status, headers.get('content-type')]).toEqual([504, 'text/plain; charset=utf-8'])
    expect(json).toMatchObject({
      reason: 'Timeout',
      message: 'Timeout: request did not complete within the allotted timeout',
    })
  })

  it('defaults to --request-timeout', async () => {
    const clock = new SimulatedClock()
    const outbound: Outbound = {
      post: () =>
        new Promise(() => {
          queueMicrotask(() => clock.advance(4000))
        }),
    }
    const send = await serverWith(
      outbound,
      'mutating',
      { failurePolicy: 'Ignore', timeoutSeconds: 5 },
      clock,
      { request: 4000 },
    )
    expect((await send('POST', '', pod('x'))).status).toBe(504)
    expect((await send('POST', '', pod('x'), undefined, '?timeout=10s')).status).toBe(504)
  })
})

describe('a malformed webhook response', () => {
  const reported = ({ json }: TestResponse): string =>
    String(json.message).replace(/^.*failed to call webhook: /, '')
  it.each<[string, string]>([
    [
      '[]',
      'json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [
      '{"kind":"Status","apiVersion":"v1"}',
      'converting (v1.Status) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      '{"kind":"Pod"}',
      'no kind "Pod" is registered for version "admission.k8s.io/v1" in scheme "pkg/runtime/scheme.go:100"',
    ],
    [
      '{"response":{"allowed":"true"}}',
      'json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
    ],
    [
      '{"response":{"auditAnnotations":{"a":1}}}',
      'json: cannot unmarshal number into Go struct field AdmissionResponse.response.auditAnnotations of type string',
    ],
  ])('gets a specific error: %s', async (body, message) => {
    const send = await serverWith(
      { post: async () => ({ status: 200, contentType: 'application/json', body }) },
      'mutating',
    )
    const result = await send('POST', '', pod('x'))
    expect([
      result.status,
      reported(result).replace(/^couldn't get version\/kind; json parse error: /, ''),
    ]).toEqual([500, message])
  })

  it('is parsed as YAML when it is not JSON', async () => {
    const outbound: Outbound = {
      async post({ body }) {
        const { apiVersion, kind, request } = JSON.parse(body) as Review
        const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nresponse:\n  uid: ${request.uid}\n  allowed: true\n`
        return { status: 200, contentType: 'application/json', body: text }
      },
    }
    const send = await serverWith(outbound, 'mutating')
    expect((await send('POST', '', pod('x'))).status).toBe(201)
  })

  it('must have apiVersion if it has kind', async () => {
    const send = await serverWith(
      responding(({ kind, request }) => ({
        kind: kind ?? '',
        response: { uid: request.uid, allowed: true },
      })),
      'mutating',
    )
    expect(whyNot(await send('POST', '', pod('x')))).toBe(
      'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=AdmissionReview',
    )
  })
})

describe('a patch', () => {
  const rename = (member: string, value: string) =>
    patch({ op: 'replace', path: `/${member}`, value })
  it.each<[string, string, string]>([
    [
      'apiVersion',
      'v2',
      'Internal error occurred: no kind "Pod" is registered for version "v2" in scheme "pkg/runtime/scheme.go:100"',
    ],
    ['apiVersion', 'a/b/c', 'Internal error occurred: unexpected GroupVersion string: a/b/c'],
    ['kind', 'Secret', 'converting (v1.Secret) to (core.Pod): unknown conversion'],
  ])('makes nothing else of an object: %s %s', async (member, value, message) => {
    const send = await serverWith(
      allowing(() => rename(member, value)),
      'mutating',
    )
    const { status, json } = await send('POST', '', { apiVersion: 'v1', kind: 'Pod', ...pod('x') })
    expect([status, json.message]).toEqual([500, message])
  })
})

describe('the status of a denial', () => {
  const denied = async (status: JsonObject) => {
    const send = await serverWith(
      allowing(() => ({ allowed: false, status })),
      'validating',
    )
    const result = await send('POST', '', pod('x'))
    return { text: JSON.stringify(result.json), headers: result.headers, status: result.status }
  }
  const head = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",'
  const message = '"message":"admission webhook \\"a.example.com\\" denied the request: no"'

  it('is decoded without unknown fields, and serialized in field order', async () => {
    const causes = [{ zed: 1, field: 'a', reason: 'R', message: 'm' }]
    const details = { foo: 1, causes, retryAfterSeconds: 0, kind: 'Pod', name: 'x', group: null }
    const { text } = await denied({
      details,
      message: 'no',
      reason: 'Bad',
      foo: {},
      metadata: { bar: 1, continue: 'c' },
      code: 409,
    })
    expect(text).toBe(
      `${head.replace('{}', '{"continue":"c"}')}${message},"reason":"Bad","details":{"name":"x","kind":"Pod","causes":[{"reason":"R","message":"m","field":"a"}]},"code":409}`,
    )
  })

  it('has details even when empty, and no other kind', async () => {
    const { text } = await denied({
      kind: 'Pod',
      apiVersion: 'v2',
      message: 'no',
      details: { foo: 1 },
    })
    expect(text).toBe(`${head}${message},"details":{},"code":400}`)
  })

  it('keeps an unknown status value, and omits Retry-After for a negative time', async () => {
    const { text, headers } = await denied({
      message: 'no',
      status: 'Unsure',
      details: { retryAfterSeconds: -3 },
    })
    expect(text).toBe(
      `${head.replace('Failure', 'Unsure')}${message},"details":{"retryAfterSeconds":-3},"code":400}`,
    )
    expect(headers.get('retry-after')).toBeNull()
  })

  it.each([
    [
      { code: '409' },
      'json: cannot unmarshal string into Go struct field Status.response.status.code of type int32',
    ],
    [
      { details: [] },
      'json: cannot unmarshal array into Go struct field Status.response.status.details of type v1.StatusDetails',
    ],
  ])('of the wrong type fails the call: %j', async (status, why) => {
    const { text, status: code } = await denied(status as JsonObject)
    expect(code).toBe(500)
    expect(JSON.parse(text).message).toContain(why)
  })
})

describe('a rejected webhook call', () => {
  const reported = async (body: string, contentType = 'application/json', status = 403) => {
    const send = await serverWith(
      { post: async () => ({ status, contentType, body }) },
      'validating',
    )
    const { json } = await send('POST', '', pod('x'))
    return String(json.message).replace(/^.*failed to call webhook: /, '')
  }

  it.each([
    ['a Status', '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"boo"}', 'boo'],
    ['a Status that names no kind', '{"status":"Failure","message":"boo"}', 'boo'],
    ['a Status in YAML', 'status: Failure\nmessage: boo\n', 'boo'],
    [
      'a Status of success',
      '{"kind":"Status","apiVersion":"v1","status":"Success","message":"boo"}',
      'unknown',
    ],
    [
      'a Status of the wrong type',
      '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"boo","code":"x"}',
      'unknown',
    ],
    [
      'another kind',
      '{"kind":"Pod","apiVersion":"v1","status":"Failure","message":"boo"}',
      'unknown',
    ],
    ['no object', '"boo"', 'unknown'],
  ])('is reported by %s', async (_, body, message) => {
    expect(await reported(body)).toBe(message)
  })
})

it('with an invalid caBundle is not sent, and its service is not resolved', async () => {
  const send = await serverWith(
    allowing(() => ({})),
    'validating',
    {},
  )
  const caBundle = btoa('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  const clientConfig = { url: null, caBundle, service: { namespace: 'default', name: 'absent' } }
  const hooks =
    '/../../../../../apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/a'
  const change = { webhooks: [{ name: 'a.example.com', clientConfig }] }
  expect(
    (await send('PATCH', hooks, change, 'application/strategic-merge-patch+json')).status,
  ).toBe(200)
  const { status, json } = await send('POST', '', pod('x'))
  expect([status, json.message]).toEqual([
    500,
    'Internal error occurred: failed calling webhook "a.example.com": could not get REST client: unable to load root certificates: failed to parse certificate: x509: malformed certificate',
  ])
})
