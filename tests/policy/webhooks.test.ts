import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import type { Outbound } from '../../src/engine/core/outbound'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { type TestServer, testServer } from '../admission/server'
import {
  type Behavior,
  configure,
  create,
  hook,
  label,
  patch,
  webhooks,
} from './reviewing-webhooks'

describe('a webhook that responds with an error', () => {
  const responding = (status: number, contentType: string, body: string): Outbound => ({
    post: async () => ({ status, contentType, body }),
  })
  const reported = async (status: number, contentType: string, body: string) => {
    const server = testServer({ outbound: responding(status, contentType, body) })
    await configure(server, 'validating', 'broken', [hook('broken')])
    const { message } = (await create(server, 'a')).body
    return message.replace(
      'Internal error occurred: failed calling webhook "broken.example.com": failed to call webhook: ',
      '',
    )
  }
  const words = (text: string) =>
    `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`

  it.each([
    ['text/plain; charset=utf-8', 'boom\n', words('boom')],
    ['Text/Plain', 'boom', words('boom')],
    ['', 'boom', words('boom')],
    ['application/json', '"boom"', words('unknown')],
    ['text/plain', 'b'.repeat(3000), words('b'.repeat(2048))],
  ])(
    'of type %j is reported with its text where the body is text',
    async (contentType, body, expected) => {
      expect(await reported(500, contentType, body)).toBe(expected)
    },
  )

  it('is reported with its own Status', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'too busy for this',
      code: 503,
    }
    expect(await reported(503, 'application/json', JSON.stringify(status))).toBe(
      'too busy for this',
    )
    const expected = 'the server is currently unable to handle the request'
    expect(
      await reported(503, 'application/json', JSON.stringify({ ...status, status: 'Success' })),
    ).toBe(expected)
  })
})

describe('access reviews', () => {
  const REVIEWS = [
    {
      apiGroups: ['authorization.k8s.io', 'authentication.k8s.io'],
      apiVersions: ['*'],
      operations: ['*'],
      resources: ['*'],
    },
  ]
  const attributes = (verb: string) => ({ verb, resource: 'pods' })
  const sendRequest = (server: TestServer, resource: string, spec: JsonObject) =>
    server.send('POST', `/apis/authorization.k8s.io/v1/${resource}`, { spec })

  it('can be mutated by webhooks before evaluation', async () => {
    const { outbound } = webhooks({
      denied: () => patch([{ op: 'replace', path: '/spec/user', value: 'alice' }]),
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'a', [hook('denied', { rules: REVIEWS })])
    const { body } = await sendRequest(server, 'subjectaccessreviews', {
      user: 'admin',
      groups: [],
      resourceAttributes: attributes('get'),
    })
    expect(body).toMatchObject({ spec: { user: 'alice' }, status: { allowed: false } })
  })

  it('can be rejected by webhooks', async () => {
    const { outbound, calls } = webhooks({ no: () => ({ allowed: false }) })
    const server = testServer({ outbound })
    await configure(server, 'validating', 'a', [hook('no', { rules: REVIEWS })])
    expect(
      (
        await sendRequest(server, 'selfsubjectaccessreviews', {
          resourceAttributes: attributes('get'),
        })
      ).status,
    ).toBe(400)
    expect(
      (await sendRequest(server, 'selfsubjectrulesreviews', { namespace: 'default' })).status,
    ).toBe(400)
    expect(
      (await server.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {})).status,
    ).toBe(400)
    expect(calls.length).toBe(3)
    // An invalid review is rejected before the webhook call.
    expect((await sendRequest(server, 'selfsubjectaccessreviews', {})).status).toBe(422)
    expect(calls.length).toBe(3)
  })
})

describe('the audit event', () => {
  it('has annotations of webhooks, under qualified names', async () => {
    const { outbound } = webhooks({
      changes: label('l', 'v'),
      verifies: () => ({ allowed: true, auditAnnotations: { checked: 'yes', 'bad key!': 'x' } }),
    })
    const events: AuditEvent[] = []
    const policy = parseAuditPolicy(
      '{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]}',
    )
    const server = testServer({
      outbound,
      audit: { policy, sink: (event) => void events.push(event) },
    })
    await configure(server, 'mutating', 'm', [
      hook('absent', { failurePolicy: 'Ignore' }),
      hook('changes'),
    ])
    await configure(server, 'validating', 'v', [hook('verifies')])
    events.length = 0
    await create(server, 'x')
    const annotations = events.at(-1)?.annotations as Record<string, string>
    expect(
      Object.keys(annotations)
        .filter((key) => key.includes('webhook') || key.includes('example'))
        .sort(),
    ).toEqual([
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_0',
      'mutation.webhook.admission.k8s.io/round_0_index_0',
      'mutation.webhook.admission.k8s.io/round_0_index_1',
      'verifies.example.com/checked',
    ])
    expect(
      JSON.parse(annotations['mutation.webhook.admission.k8s.io/round_0_index_1'] ?? ''),
    ).toEqual({
      configuration: 'm',
      webhook: 'changes.example.com',
      mutated: true,
    })
  })
})

describe('the audit annotation of patches', () => {
  const at = async (level: string, behaviors: Record<string, Behavior>, again = false) => {
    const { outbound } = webhooks(behaviors)
    const events: AuditEvent[] = []
    const policy = parseAuditPolicy(
      JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level }] }),
    )
    const server = testServer({
      outbound,
      audit: { policy, sink: (event) => void events.push(event) },
    })
    const hooks = Object.keys(behaviors).map((name) =>
      hook(name, { reinvocationPolicy: again ? 'IfNeeded' : 'Never' }),
    )
    await configure(server, 'mutating', 'm', hooks)
    events.length = 0
    await create(server, 'x', '', { a: '1' })
    const annotations = (events.at(-1)?.annotations ?? {}) as Record<string, string>
    return Object.entries(annotations)
      .filter(([key]) => key.startsWith('patch.webhook.admission.k8s.io/'))
      .map(([key, value]) => [key.split('/')[1], value])
      .sort()
  }
  const same: Behavior = () => patch([{ value: '1', path: '/data/a', op: 'replace' }])
  const characters: Behavior = () => patch([{ op: 'add', path: '/data/b', value: '<&>' }])
  const none: Behavior = () => patch([])
  const expected = (webhook: string, operation: string) =>
    `{"configuration":"m","webhook":"${webhook}.example.com","patch":[${operation}],"patchType":"JSONPatch"}`
  const SAME = '{"op":"replace","path":"/data/a","value":"1"}'

  it.each(['Request', 'RequestResponse'])(
    'at level %s includes patches without changes, but no empty ones',
    async (level) => {
      expect(await at(level, { same, none, characters })).toEqual([
        ['round_0_index_0', expected('same', SAME)],
        [
          'round_0_index_2',
          expected('characters', '{"op":"add","path":"/data/b","value":"\\u003c\\u0026\\u003e"}'),
        ],
      ])
    },
  )

  it('includes the reinvocation', async () => {
    expect(await at('Request', { same, characters }, true)).toEqual([
      ['round_0_index_0', expected('same', SAME)],
      ['round_0_index_1', expect.any(String)],
      ['round_1_index_0', expected('same', SAME)],
    ])
  })

  it('is absent at level Metadata', async () => {
    expect(await at('Metadata', { same, characters })).toEqual([])
  })
})

describe('a webhook response', () => {
  const PATCH = btoa(JSON.stringify([{ op: 'add', path: '/data/l', value: 'v' }]))
  const reported = async (kind: 'mutating' | 'validating', version: string, result: JsonObject) => {
    const { outbound } = webhooks({ says: () => ({ allowed: true, ...result }) })
    const server = testServer({ outbound })
    await configure(server, kind, 'a', [hook('says', { admissionReviewVersions: [version] })])
    const { status, body } = await create(server, 'x', '', { a: '1' })
    return status === 201
      ? (body as unknown as { data: JsonObject }).data
      : body.message.split('received invalid webhook response: ')[1]
  }
  const changed = { a: '1', l: 'v' }

  it.each([
    ['validating', { patch: PATCH }, 'validating webhook may not return response.patch'],
    [
      'validating',
      { patchType: 'JSONPatch' },
      'validating webhook may not return response.patchType',
    ],
    ['mutating', { patch: PATCH }, 'webhook returned response.patch but not response.patchType'],
    [
      'mutating',
      { patchType: 'JSONPatch' },
      'webhook returned response.patchType but not response.patch',
    ],
    [
      'mutating',
      { patch: PATCH, patchType: '' },
      'webhook returned invalid response.patchType of ""',
    ],
    [
      'mutating',
      { uid: 'another', patch: PATCH },
      expect.stringMatching(/^expected response\.uid="[-0-9a-f]+", got "another"$/),
    ],
  ] as const)('of v1 from a %s webhook is decoded strictly: %j', async (kind, result, why) => {
    expect(await reported(kind, 'v1', result)).toEqual(why)
  })

  it.each([
    ['validating', { uid: '', patch: PATCH, patchType: 'JSONPatch' }, { a: '1' }],
    ['mutating', { uid: 'another', patch: PATCH }, changed],
    ['mutating', { patch: PATCH, patchType: 'Other' }, changed],
    ['mutating', { patchType: 'JSONPatch' }, { a: '1' }],
  ] as const)(
    'of v1beta1 from a %s webhook is decoded leniently: %j',
    async (kind, result, data) => {
      expect(await reported(kind, 'v1beta1', result)).toEqual(data)
    },
  )
})

describe('validating webhooks', () => {
  it('all receive the request; the response reports the first denial', async () => {
    const { outbound, calls } = webhooks({
      one: () => ({ allowed: false, status: { message: 'denied by one' } }),
      two: () => ({ allowed: false, status: { message: 'denied by two', code: 403 } }),
    })
    const server = testServer({ outbound })
    await configure(server, 'validating', 'a', [hook('one'), hook('two')])
    const { status, body } = await create(server, 'x')
    expect(calls).toEqual(['one', 'two'])
    expect([status, body.message]).toEqual([
      400,
      'admission webhook "one.example.com" denied the request: denied by one',
    ])
  })

  it('follow failurePolicy when the call fails', async () => {
    const { outbound } = webhooks({})
    const server = testServer({ outbound })
    await configure(server, 'validating', 'a', [hook('absent', { failurePolicy: 'Ignore' })])
    expect((await create(server, 'x')).status).toBe(201)
    await configure(server, 'validating', 'b', [hook('needed')])
    const { status, body } = await create(server, 'y')
    expect(status).toBe(500)
    expect(body.message).toBe(
      'Internal error occurred: failed calling webhook "needed.example.com": failed to call webhook: Post "https://hooks.example.com/needed?timeout=10s": no server at needed',
    )
  })

  it('time out', async () => {
    const clock = new SimulatedClock()
    let canceled = 0
    const outbound: Outbound = {
      post: (_request, onCancel) =>
        new Promise(() => {
          onCancel(() => canceled++)
          queueMicrotask(() => clock.advance(2000))
        }),
    }
    const server = testServer({ outbound, clock })
    await configure(server, 'validating', 'a', [hook('slow', { timeoutSeconds: 2 })])
    const { body } = await create(server, 'x')
    expect(body.message).toContain(
      'Post "https://hooks.example.com/slow?timeout=2s": context deadline exceeded',
    )
    expect(canceled).toBe(1)
  })

  it('do not receive webhook configurations and policies', async () => {
    const { outbound, calls } = webhooks({})
    const server = testServer({ outbound })
    const everything = [
      { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] },
    ]
    await configure(server, 'validating', 'a', [hook('all', { rules: everything })])
    const { status } = await server.send(
      'DELETE',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/a',
    )
    expect([status, calls]).toEqual([200, []])
    expect((await create(server, 'x')).status).toBe(201)
  })

  it('reach a service at its ClusterIP, and verify its name', async () => {
    const { outbound, requests } = webhooks({ check: () => ({ allowed: true }) })
    const server = testServer({ outbound })
    const service = { namespace: 'default', name: 'hooks', path: '/check', port: 8443 }
    await server.send('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'hooks' },
      spec: { clusterIP: '10.96.1.2', ports: [{ port: 8443 }] },
    })
    await configure(server, 'validating', 'a', [hook('check', { clientConfig: { service } })])
    expect((await create(server, 'x')).status).toBe(201)
    expect(requests.map(({ url, connectTo }) => [url, connectTo])).toEqual([
      ['https://hooks.default.svc:8443/check?timeout=10s', '10.96.1.2:8443'],
    ])
  })
})

describe('the scale of a workload', () => {
  it('is sent to webhooks of the subresource, which can mutate it', async () => {
    const { outbound } = webhooks({
      more: () => patch([{ op: 'replace', path: '/spec/replicas', value: 5 }]),
    })
    const server = testServer({ outbound })
    const scales = [
      {
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['deployments/scale'],
      },
    ]
    await configure(server, 'mutating', 'a', [hook('more', { rules: scales })])
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }
    await server.send('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    })
    const { body } = await server.send(
      'PATCH',
      '/apis/apps/v1/namespaces/default/deployments/d/scale',
      { spec: { replicas: 2 } },
    )
    expect(body.spec).toEqual({ replicas: 5 })
  })
})
