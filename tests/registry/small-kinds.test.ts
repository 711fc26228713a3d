/**
 * Kinds of small API groups: which objects they reject, the order of errors, and their statuses.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { type TestServer, testServer } from './server'

const MERGE = 'application/merge-patch+json'

interface ErrorBody {
  details?: { causes?: { field: string; message: string }[] }
}

async function causes(
  server: TestServer,
  method: string,
  path: string,
  body: JsonObject,
  type?: string,
): Promise<string[]> {
  const { status, body: response } = await server.send<ErrorBody>(method, path, body, type)
  expect(status, JSON.stringify(response)).toBe(422)
  return (response.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)
}

const LABEL = /a lowercase RFC 1123 label must consist of/

it('requires data of a new controller revision, and compares it on update', async () => {
  const server = testServer()
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions'
  expect(await causes(server, 'POST', path, { metadata: { name: 'a' }, revision: -1 })).toEqual([
    'revision: Invalid value: -1: must be greater than or equal to 0',
    'data: Required value: data is mandatory',
  ])
  await server.send('POST', path, { metadata: { name: 'a' }, revision: 1, data: { x: 1 } })
  expect(await causes(server, 'PATCH', `${path}/a`, { data: null }, MERGE)).toEqual([
    'data: Invalid value: runtime.RawExtension{Raw:[]uint8(nil), Object:runtime.Object(nil)}: field is immutable',
  ])
})

it('rejects a lower or removed collisionCount of a workload', async () => {
  const server = testServer()
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }
  for (const kind of ['deployments', 'daemonsets', 'statefulsets']) {
    const path = `/apis/apps/v1/namespaces/default/${kind}`
    await server.send('POST', path, {
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    })
    const count = (collisionCount: number | null) => ({ status: { collisionCount } })
    await server.send('PATCH', `${path}/a/status`, count(0), MERGE)
    expect(await causes(server, 'PATCH', `${path}/a/status`, count(null), MERGE)).toEqual([
      'status.collisionCount: Invalid value: 0: cannot be decremented',
    ])
    await server.send('PATCH', `${path}/a/status`, count(2), MERGE)
    expect(await causes(server, 'PATCH', `${path}/a/status`, count(1), MERGE)).toEqual([
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ])
  }
})

describe('ingress classes', () => {
  const CLASSES = '/apis/networking.k8s.io/v1/ingressclasses'

  it('require a namespace for namespaced parameters, which may not be empty', async () => {
    const parameters = { kind: 'K', name: 'n', scope: 'Namespace' }
    const made = (more: JsonObject) => ({
      metadata: { name: 'a' },
      spec: { controller: 'a.b/c', parameters: { ...parameters, ...more } },
    })
    const server = testServer()
    expect(await causes(server, 'POST', CLASSES, made({}))).toEqual([
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ])
    const [empty, ...others] = await causes(server, 'POST', CLASSES, made({ namespace: '' }))
    expect(empty).toMatch(LABEL)
    expect(others).toEqual([])
  })

  it('report immutable fields before other errors', async () => {
    const server = testServer()
    await server.send('POST', CLASSES, { metadata: { name: 'a' }, spec: { controller: 'a.b/c' } })
    const change = { metadata: { labels: { 'no label': '' } }, spec: { controller: 'x' } }
    const found = await causes(server, 'PATCH', `${CLASSES}/a`, change, MERGE)
    expect(found.slice(-3).map((text) => text.slice(0, 40))).toEqual([
      'spec.controller: Invalid value: "x": fie',
      'metadata.labels: Invalid value: "no labe',
      'spec.controller: Invalid value: "x": mus',
    ])
  })
})

it('validates the metadata of a changed ingress before its spec', async () => {
  const server = testServer()
  const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses'
  await server.send('POST', path, { metadata: { name: 'a' }, spec: { rules: [{ host: 'a.b' }] } })
  const found = await causes(
    server,
    'PATCH',
    `${path}/a`,
    { metadata: { labels: { 'no label': '' } }, spec: { rules: null } },
    MERGE,
  )
  expect(found.map((text) => text.split(':')[0])).toEqual([
    ...Array(found.length - 1).fill('metadata.labels'),
    'spec',
  ])
})

describe('flow schemas and priority levels', () => {
  const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1'
  const schema = (rule: JsonObject): JsonObject => ({
    metadata: { name: 'a' },
    spec: {
      priorityLevelConfiguration: { name: 'x' },
      rules: [{ subjects: [{ kind: 'User', user: { name: 'u' } }], ...rule }],
    },
  })

  it('report one error for an invalid namespace', async () => {
    const rule = {
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['*'], namespaces: ['-a'] }],
    }
    const [found, ...others] = await causes(
      testServer(),
      'POST',
      `${FLOW}/flowschemas`,
      schema(rule),
    )
    expect(found).toContain(
      `namespaces[0]: Invalid value: "-a": each member of this list must be '*' or a DNS-1123 label; a lowercase RFC 1123 label`,
    )
    expect(others).toEqual([])
  })

  it('do not validate paths next to *', async () => {
    const rule = { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*', 'no path'] }] }
    expect(await causes(testServer(), 'POST', `${FLOW}/flowschemas`, schema(rule))).toEqual([
      `spec.rules[0].nonResourceRules[0].nonResourceURLs: Invalid value: []string{"*", "no path"}: if '*' is present, must not specify other non-resource URLs`,
    ])
  })

  it('require a unique type of each condition', async () => {
    const server = testServer()
    const conditions = [{ type: 'A' }, { type: 'A' }, { type: '' }]
    await server.send('POST', `${FLOW}/flowschemas`, {
      ...schema({}),
      spec: { priorityLevelConfiguration: { name: 'x' } },
    })
    const limited = { limitResponse: { type: 'Reject' } }
    await server.send('POST', `${FLOW}/prioritylevelconfigurations`, {
      metadata: { name: 'a' },
      spec: { type: 'Limited', limited },
    })
    for (const path of [
      `${FLOW}/flowschemas/a/status`,
      `${FLOW}/prioritylevelconfigurations/a/status`,
    ])
      expect(await causes(server, 'PATCH', path, { status: { conditions } }, MERGE)).toEqual([
        'status.conditions[1].type: Duplicate value: "A"',
        'status.conditions[2].type: Required value: must not be empty',
      ])
  })

  it('require the type that matches the name, even if the type is unknown', async () => {
    const change = { spec: { type: 'Other' } }
    const found = await causes(
      testServer(),
      'PATCH',
      `${FLOW}/prioritylevelconfigurations/exempt`,
      change,
      MERGE,
    )
    expect(found.slice(0, 2)).toEqual([
      `spec.type: Invalid value: "Other": type must be 'Exempt' if and only if name is 'exempt'`,
      'spec.type: Unsupported value: "Other": supported values: "Exempt", "Limited"',
    ])
  })
})

describe('APIServices', () => {
  const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
  const spec = {
    group: 'x.example.com',
    version: 'v1',
    groupPriorityMinimum: 1,
    versionPriority: 1,
  }

  it('accept True, False and Unknown as status of a condition', async () => {
    const server = testServer()
    await server.send('POST', SERVICES, { metadata: { name: 'v1.x.example.com' }, spec })
    const status = { conditions: [{ type: 'Available', status: 'Maybe' }] }
    expect(
      await causes(server, 'PATCH', `${SERVICES}/v1.x.example.com/status`, { status }, MERGE),
    ).toEqual([
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
    ])
  })

  it('require a name before comparing it with version and group', async () => {
    expect(
      await causes(testServer(), 'POST', SERVICES, { metadata: { name: 'v1/x' }, spec }),
    ).toEqual([`metadata.name: Invalid value: "v1/x": may not contain '/'`])
  })
})

it('parses the URL of a webhook', async () => {
  const server = testServer()
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
  const configuration = (name: string, url: string): JsonObject => ({
    metadata: { name },
    webhooks: [
      {
        name: 'a.b.c',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url },
      },
    ],
  })
  const why = async (url: string) =>
    (await causes(server, 'POST', path, configuration('x', url))).map((text) =>
      text.split(': ').slice(1).join(': '),
    )
  const invalid = (problem: string) => [
    `Required value: url must be a valid URL: parse ${problem}; desired format: https://host[/path]`,
  ]
  expect(await why('https://a b')).toEqual(
    invalid('"https://a b": invalid character " " in host name'),
  )
  expect(await why('https://a:http/')).toEqual(
    invalid('"https://a:http/": invalid port ":http" after host'),
  )
  expect(await why('https://[::1')).toEqual(invalid(`"https://[::1": missing ']' in host`))
  expect(await why('https://a/%zz')).toEqual(invalid('"https://a/%zz": invalid URL escape "%zz"'))
  expect(await why('1x:a')).toEqual(
    invalid('"1x:a": first path segment in URL cannot contain colon'),
  )
  expect(await why('https://u u@a')).toEqual(invalid('"https://u u@a": net/url: invalid userinfo'))
  expect(await why('https://@a')).toEqual([
    'Invalid value: "": user information is not permitted in the URL',
  ])
  expect((await server.send('POST', path, configuration('loud', 'HTTPS://a/b'))).status).toBe(201)
})

describe('finalizers without a domain', () => {
  it.each([
    ['/apis/policy/v1/namespaces/default/poddisruptionbudgets', { spec: { selector: {} } }, 201],
    ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'a' }, 201],
    ['/apis/scheduling.k8s.io/v1/priorityclasses', { value: 1 }, 422],
  ])('%s', async (path, members, status) => {
    const made = await testServer().send('POST', path, {
      metadata: { name: 'a', finalizers: ['own'] },
      ...members,
    })
    expect(made.status).toBe(status)
  })
})

it('validates the spec of a PodDisruptionBudget before its name', async () => {
  const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
  const spec = { minAvailable: -1 }
  expect(await causes(testServer(), 'POST', BUDGETS, { metadata: {}, spec })).toEqual([
    'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0',
  ])
})

it('ignores metadata in status updates of flow control objects', async () => {
  const server = testServer()
  const SCHEMAS = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas'
  const { body: made } = await server.send('POST', SCHEMAS, {
    metadata: { name: 'a' },
    spec: { priorityLevelConfiguration: { name: 'workload-low' } },
  })
  const change = {
    metadata: { uid: 'other', labels: { a: 'b' } },
    status: { conditions: [{ type: 'Dangling', status: 'False' }] },
  }
  const { status, body } = await server.send('PATCH', `${SCHEMAS}/a/status`, change, MERGE)
  expect([status, body.metadata.uid, body.metadata.labels]).toEqual([
    200,
    made.metadata.uid,
    undefined,
  ])
})

describe('the generation of an EndpointSlice', () => {
  const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
  it.each<[JsonObject, number]>([
    [{ ports: [] }, 1],
    [{ endpoints: [{ addresses: ['10.0.0.1'] }] }, 1],
    [{ endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: { zone: 'a' } }] }, 2],
    [{ ports: [{ port: 1 }] }, 2],
    [{ metadata: { labels: { a: 'b' } } }, 2],
  ])('after %j is %i', async (change, generation) => {
    const server = testServer()
    await server.send('POST', SLICES, {
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
    })
    const { body } = await server.send('PATCH', `${SLICES}/a`, change, MERGE)
    expect(body.metadata.generation).toBe(generation)
  })
})

it('accepts the annotation for zero concurrency shares in beta versions only', async () => {
  const ZERO = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'
  const level = {
    metadata: { name: 'a', annotations: { [ZERO]: '' } },
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
  }
  const path = (version: string) =>
    `/apis/flowcontrol.apiserver.k8s.io/${version}/prioritylevelconfigurations`
  const server = testServer()
  expect(await causes(server, 'POST', path('v1'), level)).toEqual([
    `metadata.annotations: Forbidden: annotation '${ZERO}' is forbidden`,
  ])
  expect((await server.send('POST', path('v1beta3'), level)).status).toBe(201)
  const { body } = await server.send('GET', `${path('v1')}/a`)
  expect(body.metadata.annotations).toBeUndefined()
  expect(body.spec).toMatchObject({ limited: { nominalConcurrencyShares: 0 } })
})

it('validates the overhead of a RuntimeClass like the limits of a container', async () => {
  const CLASSES = '/apis/node.k8s.io/v1/runtimeclasses'
  const podFixed = { 'hugepages-2Mi': '3Mi', 'example.com/gpu': '1.5' }
  const found = await causes(testServer(), 'POST', CLASSES, {
    metadata: { name: 'a' },
    handler: 'a',
    overhead: { podFixed },
  })
  expect(found.map((text) => text.replace(/Invalid value: .*: /, ''))).toEqual([
    'overhead.limits[example.com/gpu]: must be an integer',
    'overhead.limits[hugepages-2Mi]: 3Mi is not positive integer multiple of hugepages-2Mi',
    'overhead: Forbidden: HugePages require cpu or memory',
  ])
})

it('reports the invalid label of an FQDN', async () => {
  const slice = {
    metadata: { name: 'a' },
    addressType: 'FQDN',
    endpoints: [{ addresses: [`${'x'.repeat(64)}.example`] }],
  }
  const found = await causes(
    testServer(),
    'POST',
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    slice,
  )
  expect(found).toEqual([
    `endpoints[0].addresses[0]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 characters`,
  ])
})

it('returns 406 for a Table of a subresource without columns', async () => {
  const server = testServer()
  const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps'
  expect((await server.table(path)).rows).toHaveLength(1)
  expect(await server.table(`${path}/status`)).toMatchObject({ code: 406 })
})

it('counts an empty list in a network policy as a change, not a default', async () => {
  const POLICIES = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies'
  const server = testServer()
  await server.send('POST', POLICIES, {
    metadata: { name: 'a' },
    spec: { podSelector: {}, egress: [{}] },
  })
  const generation = async (spec: JsonObject) =>
    (await server.send('PATCH', `${POLICIES}/a`, { spec }, MERGE)).body.metadata.generation
  expect(await generation({ policyTypes: [] })).toBe(1)
  expect(await generation({ ingress: [] })).toBe(2)
})

it.each([
  ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'runc' }],
  ['/apis/policy/v1/namespaces/default/poddisruptionbudgets', { spec: { minAvailable: 1 } }],
  ['/api/v1/namespaces/default/events', { involvedObject: { namespace: 'default' } }],
])('accepts finalizers without a domain: %s', async (path, members) => {
  const server = testServer()
  expect(
    (
      await server.send('POST', path, {
        metadata: { name: 'a', finalizers: ['plain'] },
        ...members,
      })
    ).status,
  ).toBe(201)
  expect(
    (await server.send('PATCH', `${path}/a`, { metadata: { finalizers: ['other'] } }, MERGE))
      .status,
  ).toBe(200)
})
