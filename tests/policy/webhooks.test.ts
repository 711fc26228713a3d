import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import { type Outbound, OutboundError, type OutboundRequest } from '../../src/engine/core/outbound'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { type TestServer, testServer } from '../admission/server'

interface Review {
  request: {
    uid: string
    name: string
    object: JsonObject & { metadata: { labels?: Record<string, string> }; data?: JsonObject }
    dryRun: boolean
  }
}

type Behavior = (review: Review) => JsonObject

/** Webhooks by the path of their URL; records the calls. */
function webhooks(behaviors: Record<string, Behavior>) {
  const calls: string[] = []
  const requests: OutboundRequest[] = []
  const outbound: Outbound = {
    async post(request) {
      const path = new URL(request.url).pathname.slice(1)
      calls.push(path)
      requests.push(request)
      const review = JSON.parse(request.body) as Review & JsonObject
      const behave = behaviors[path]
      if (behave === undefined) throw new OutboundError(`no server at ${path}`)
      const response = { uid: review.request.uid, ...behave(review) }
      return {
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ kind: review.kind, apiVersion: review.apiVersion, response }),
      }
    },
  }
  return { outbound, calls, requests }
}

const patch = (operations: JsonObject[]): JsonObject => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: btoa(JSON.stringify(operations)),
})
const label =
  (name: string, value: string): Behavior =>
  ({ request }) =>
    patch([
      {
        op: 'add',
        path: request.object.metadata.labels ? `/metadata/labels/${name}` : '/metadata/labels',
        value: request.object.metadata.labels ? value : { [name]: value },
      },
    ])

const CONFIG_MAPS: JsonObject[] = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] },
]

function hook(path: string, more: JsonObject = {}): JsonObject {
  return {
    name: `${path}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: `https://hooks.example.com/${path}` },
    rules: CONFIG_MAPS,
    ...more,
  }
}

const configure = (
  server: TestServer,
  kind: 'mutating' | 'validating',
  name: string,
  hooks: JsonObject[],
) =>
  server.send('POST', `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
    metadata: { name },
    webhooks: hooks,
  })
const create = (server: TestServer, name: string, query = '', data: JsonObject = {}) =>
  server.send('POST', `/api/v1/namespaces/default/configmaps${query}`, { metadata: { name }, data })

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

describe('mutating webhooks', () => {
  it('run in the order of their configurations, each on the result of the previous', async () => {
    const seen: JsonObject[] = []
    const { outbound, calls } = webhooks({
      first: label('first', 'yes'),
      second: ({ request }) => {
        seen.push({ ...request.object.metadata.labels })
        return patch([{ op: 'add', path: '/data/added', value: 'by second' }])
      },
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'b', [hook('second')])
    await configure(server, 'mutating', 'a', [hook('first')])
    const { body } = await create(server, 'x', '', { a: '1' })
    expect(calls).toEqual(['first', 'second'])
    expect(seen).toEqual([{ first: 'yes' }])
    expect(body).toMatchObject({
      metadata: { labels: { first: 'yes' } },
      data: { a: '1', added: 'by second' },
    })
  })

  it.each([
    [{ operation: 'Edit' }, 'operation must be `Apply` or `Update`'],
    [{ fieldsType: 'FieldsV2' }, 'invalid fieldsType "FieldsV2" in managed fields entry 0'],
    [{ apiVersion: '' }, 'apiVersion must not be empty'],
    [{ fieldsType: '' }, 'missing fieldsType in managed fields entry 0'],
    [
      { fieldsV1: { data: {} } },
      'error decoding versioned set from {hand Update v1 <nil> FieldsV1 {"data":{}} }: ',
    ],
    [{ manager: '' }, undefined],
  ])('may write managedFields, unless they cannot be decoded: %j', async (change, why) => {
    const entry = {
      manager: 'hand',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': {} },
      ...change,
    }
    const { outbound } = webhooks({
      owns: () => patch([{ op: 'replace', path: '/metadata/managedFields', value: [entry] }]),
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'a', [hook('owns')])
    const { body, warnings } = await create(server, 'x', '?fieldManager=sender', { a: '1' })
    expect(body.metadata.managedFields?.map(({ manager }) => manager)).toEqual([
      why === undefined ? undefined : 'sender',
    ])
    const warning =
      '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating'
    if (why === undefined) expect(warnings).toBe('')
    else
      expect(warnings.replaceAll('\\"', '"')).toContain(
        `${warning} admission controller; please fix your requests: ${why}`,
      )
  })

  it('that repeat an owner are distinguished from requests that do', async () => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }
    const { outbound } = webhooks({
      owns: () => patch([{ op: 'add', path: '/metadata/ownerReferences', value: [owner, owner] }]),
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'a', [hook('owns')])
    const metadata = { name: 'x', ownerReferences: [owner, owner] }
    const { body, warnings } = await server.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata,
    })
    expect(body.metadata.ownerReferences).toEqual([owner])
    const texts = [...warnings.matchAll(/duplicate entries([^;]*);/g)].map(([, when]) => when)
    expect(texts).toEqual(['', ' after mutating admission happens'])
  })

  it('run again with reinvocationPolicy IfNeeded after a later change', async () => {
    const { outbound, calls } = webhooks({
      watches: () => ({ allowed: true }),
      once: () => ({ allowed: true }),
      changes: label('l', 'v'),
    })
    const server = testServer({ outbound })
    await configure(server, 'mutating', 'a', [
      hook('watches', { reinvocationPolicy: 'IfNeeded' }),
      hook('once'),
      hook('changes'),
    ])
    await create(server, 'x')
    expect(calls).toEqual(['watches', 'once', 'changes', 'watches'])
  })

  it('trigger a second run of the admission plugins after a change', async () => {
    const { outbound } = webhooks({
      sidecar: () =>
        patch([
          {
            op: 'add',
            path: '/spec/containers/-',
            value: { name: 'sidecar', image: 'i', ports: [{ containerPort: 80 }] },
          },
        ]),
    })
    const server = testServer({ outbound })
    const pods = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
    ]
    await configure(server, 'mutating', 'a', [hook('sidecar', { rules: pods })])
    await server.namespace('test')
    const { body } = await server.pod('test')
    expect(body.spec.containers?.[1]).toMatchObject({
      name: 'sidecar',
      imagePullPolicy: 'Always',
      ports: [{ containerPort: 80, protocol: 'TCP' }],
    })
  })

  it('mutate custom resources within their schemas', async () => {
    const { outbound } = webhooks({
      things: () => patch([{ op: 'add', path: '/spec', value: { size: 3, unknown: 'x' } }]),
      wrong: () => patch([{ op: 'add', path: '/spec', value: { size: 'three' } }]),
    })
    const server = testServer({ outbound })
    const spec = {
      type: 'object',
      properties: { size: { type: 'integer' }, color: { type: 'string', default: 'red' } },
    }
    await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    })
    const rules = [
      {
        apiGroups: ['example.com'],
        apiVersions: ['v1'],
        operations: ['CREATE'],
        resources: ['things'],
      },
    ]
    await configure(server, 'mutating', 'a', [
      hook('things', { rules }),
      hook('wrong', { rules, objectSelector: { matchLabels: { wrong: 'yes' } } }),
    ])
    const thing = (name: string, labels: Record<string, string>) =>
      server.send('POST', '/apis/example.com/v1/namespaces/default/things', {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name, labels },
      })
    expect((await thing('x', {})).body.spec).toEqual({ size: 3, color: 'red' })
    const { status, body } = await thing('y', { wrong: 'yes' })
    expect(status).toBe(422)
    expect(body.message).toContain(
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    )
  })

  it('cannot mutate the object of a DELETE request', async () => {
    const { outbound } = webhooks({ late: () => patch([{ op: 'add', path: '/data', value: {} }]) })
    const server = testServer({ outbound })
    await create(server, 'x')
    await configure(server, 'mutating', 'a', [
      hook('late', { rules: [{ ...CONFIG_MAPS[0], operations: ['DELETE'] }] }),
    ])
    const { status, body } = await server.send('DELETE', '/api/v1/namespaces/default/configmaps/x')
    expect(status).toBe(500)
    expect(body.message).toContain(
      'attempted to modify the object, which is not supported for this operation',
    )
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
