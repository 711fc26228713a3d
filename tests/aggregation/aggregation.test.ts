import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import {
  type Outbound,
  OutboundError,
  type PassedRequest,
  type PassedResponse,
} from '../../src/engine/core/outbound'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { type Cluster, testCluster } from '../support/cluster'

type Handler = (
  request: PassedRequest,
  path: string,
) => { status?: number; headers?: Record<string, string>; body: unknown }

const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'metrics.example.com/v1',
  resources: [
    {
      name: 'readings',
      singularName: 'reading',
      namespaced: true,
      kind: 'Reading',
      verbs: ['get', 'list', 'watch'],
      shortNames: ['rd'],
    },
    {
      name: 'readings/status',
      singularName: '',
      namespaced: true,
      kind: 'Reading',
      verbs: ['get'],
    },
  ],
}
const V2 = {
  swagger: '2.0',
  paths: {
    '/apis/metrics.example.com/v1/readings': {
      get: {
        parameters: [
          { $ref: '#/parameters/window-AAAAAAAA' },
          { $ref: '#/parameters/body-BBBBBBBB' },
        ],
        responses: { 200: { schema: { $ref: '#/definitions/com.example.Reading' } } },
      },
    },
    '/healthz': {},
  },
  definitions: {
    'com.example.Reading': {
      type: 'object',
      properties: {
        metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      },
    },
    'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
      type: 'object',
      description: 'another one',
    },
    'com.example.Query': { type: 'string' },
    unused: { type: 'string' },
  },
  parameters: {
    'window-AAAAAAAA': { name: 'window', in: 'query', type: 'integer' },
    'body-BBBBBBBB': {
      name: 'body',
      in: 'body',
      schema: { $ref: '#/definitions/com.example.Query' },
    },
    'unused-CCCCCCCC': { name: 'unused', in: 'query', type: 'string' },
  },
}
const V3 = { openapi: '3.0.0', info: { title: 'readings' }, paths: {} }

const normal: Handler = (_, path) => {
  switch (path) {
    case '/apis/metrics.example.com/v1':
      return { body: RESOURCES }
    case '/openapi/v2':
      return { body: V2 }
    case '/openapi/v3':
      return {
        body: {
          paths: {
            'apis/metrics.example.com/v1': {
              serverRelativeURL: '/openapi/v3/apis/metrics.example.com/v1?hash=ABC',
            },
          },
        },
      }
    case '/openapi/v3/apis/metrics.example.com/v1':
      return { body: V3 }
    default:
      return { body: { kind: 'ReadingList', apiVersion: 'metrics.example.com/v1', items: [] } }
  }
}

let passed: PassedRequest[]
let handler: Handler
let cluster: Cluster

const outbound: Outbound = {
  post: () => Promise.reject(new OutboundError('unused')),
  async pass(request): Promise<PassedResponse> {
    passed.push(request)
    const { status = 200, headers = {}, body } = handler(request, new URL(request.url).pathname)
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: {
        start(sink) {
          for (const chunk of Array.isArray(body) ? body : [body])
            sink.write(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
          sink.end()
          return () => {}
        },
      },
    }
  },
}

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
const NAME = 'v1.metrics.example.com'
const READINGS = '/apis/metrics.example.com/v1/namespaces/default/readings'

const register = (spec: JsonObject = {}) =>
  cluster.sendRequest({
    method: 'POST',
    path: SERVICES,
    body: {
      metadata: { name: NAME },
      spec: {
        group: 'metrics.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'readings' },
        ...spec,
      },
    },
  })
const serve = (spec: JsonObject = { type: 'ExternalName', externalName: 'readings.example.com' }) =>
  cluster.sendRequest({
    method: 'POST',
    path: '/api/v1/namespaces/default/services',
    body: { metadata: { name: 'readings' }, spec },
  })
const condition = async (): Promise<JsonObject> =>
  (await cluster.sendRequest({ path: `${SERVICES}/${NAME}` })).json.status.conditions[0]

/** The availability check, sent in addition to the discovery request. */
const checked = () =>
  passed.find(({ url, headers }) => url.endsWith('/v1') && headers['x-remote-group'] !== undefined)

beforeEach(async () => {
  passed = []
  handler = normal
  cluster = await testCluster({ outbound, controllers: [] })
})
afterEach(() => cluster.close())

describe('an APIService that names a service', () => {
  it('is requested at its own port behind an ExternalName, which has no ports', async () => {
    await serve()
    await register({ service: { namespace: 'default', name: 'readings', port: 6443 } })
    expect(await condition()).toMatchObject({ status: 'True' })
    expect(checked()?.url).toBe('https://readings.example.com:6443/apis/metrics.example.com/v1')
  })

  it('is available when the server behind it serves discovery', async () => {
    await serve()
    await register()
    expect(await condition()).toMatchObject({
      status: 'True',
      reason: 'Passed',
      message: 'all checks passed',
    })
    expect(checked()).toMatchObject({
      method: 'GET',
      url: 'https://readings.example.com:443/apis/metrics.example.com/v1',
      service: { namespace: 'default', name: 'readings', port: 443 },
      serverName: 'readings.default.svc',
      insecure: true,
      headers: { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': ['system:masters'] },
    })
  })

  const reasons: [string, () => Promise<unknown>, JsonObject][] = [
    [
      'there is no such service',
      async () => {},
      { reason: 'ServiceNotFound', message: 'service/readings in "default" is not present' },
    ],
    [
      'it does not listen there',
      () => serve({ ports: [{ port: 80 }] }),
      {
        reason: 'ServicePortError',
        message: 'service/readings in "default" is not listening on port 443',
      },
    ],
    [
      'nothing is known behind it',
      () => serve({ ports: [{ port: 443 }] }),
      {
        reason: 'EndpointsNotFound',
        message: 'cannot find endpoints for service/readings in "default"',
      },
    ],
    [
      'the server does not respond',
      () => {
        handler = () => {
          throw new OutboundError('dial tcp 10.0.0.1:443: connect: connection refused')
        }
        return serve()
      },
      {
        reason: 'FailedDiscoveryCheck',
        message:
          'failing or missing response from https://readings.example.com:443/apis/metrics.example.com/v1: Get "https://readings.example.com:443/apis/metrics.example.com/v1": dial tcp 10.0.0.1:443: connect: connection refused',
      },
    ],
    [
      'the server rejects the request',
      () => {
        handler = () => ({ status: 403, body: 'no' })
        return serve()
      },
      {
        reason: 'FailedDiscoveryCheck',
        message:
          'failing or missing response from https://readings.example.com:443/apis/metrics.example.com/v1: bad status from https://readings.example.com:443/apis/metrics.example.com/v1: 403',
      },
    ],
  ]
  it.each(reasons)('is not available while %s', async (_, prepare, found) => {
    await prepare()
    await register()
    expect(await condition()).toMatchObject({ status: 'False', ...found })
    expect(await cluster.sendRequest({ path: READINGS })).toMatchObject({
      status: 503,
      text: 'service unavailable\n',
    })
    expect((await cluster.sendRequest({ path: '/metrics' })).text).toContain(
      `aggregator_unavailable_apiservice{name="${NAME}"} 1`,
    )
  })

  it('becomes available when its service comes, and is looked at again while it is', async () => {
    await register()
    expect(await condition()).toMatchObject({ reason: 'ServiceNotFound' })
    await serve()
    expect(await condition()).toMatchObject({ status: 'True' })
    handler = () => ({ status: 500, body: 'broken' })
    await cluster.pass(31)
    expect(await condition()).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' })
    handler = normal
    await cluster.pass(31)
    expect(await condition()).toMatchObject({ status: 'True' })
  })

  it('whose certificates cannot be read is available, but nothing is passed on to it', async () => {
    await serve()
    const caBundle = btoa('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    await register({ insecureSkipTLSVerify: false, caBundle })
    expect(await condition()).toMatchObject({ status: 'True' })
    expect(checked()).toMatchObject({ insecure: true })
    passed = []
    expect(await cluster.sendRequest({ path: READINGS })).toMatchObject({
      status: 500,
      text: 'unable to load root certificates: failed to parse certificate: x509: malformed certificate\n',
    })
    expect(passed).toEqual([])
  })

  it('is known by its certificates when something is passed on, not when it is looked for', async () => {
    await serve()
    const { cert } = selfSignedCertificate('readings', 0)
    await register({ insecureSkipTLSVerify: false, caBundle: btoa(cert) })
    expect(checked()).not.toHaveProperty('certificates')
    passed = []
    await cluster.sendRequest({ path: READINGS })
    expect(passed).toMatchObject([{ certificates: cert }])
  })

  it('needs an address behind a service of the cluster', async () => {
    const { json } = await serve({ ports: [{ port: 443 }] })
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/namespaces/default/endpoints',
      body: {
        metadata: { name: 'readings' },
        subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 8443 }] }],
      },
    })
    await register()
    expect(await condition()).toMatchObject({ status: 'True' })
    expect(checked()?.url).toBe(`https://${json.spec.clusterIP}:443/apis/metrics.example.com/v1`)
  })
})

describe('requests for an aggregated version', () => {
  beforeEach(async () => {
    await serve()
    await register()
    passed = []
  })

  it('are forwarded with the identity of the user, without the credentials', async () => {
    handler = () => ({ status: 201, headers: { 'x-own': 'yes' }, body: { kind: 'Reading' } })
    const { status, json, headers } = await cluster.sendRequest({
      method: 'POST',
      path: `${READINGS}?dryRun=All`,
      body: { kind: 'Reading' },
      headers: {
        'impersonate-user': 'bob',
        'impersonate-group': 'system:masters',
        'impersonate-extra-a%2Fb': 'c',
        'x-remote-user': 'mallory',
        accept: 'text/csv',
      },
    })
    expect([status, json, headers.get('x-own')]).toEqual([201, { kind: 'Reading' }, 'yes'])
    const [request] = passed
    expect(request).toMatchObject({
      method: 'POST',
      url: `https://readings.example.com:443${READINGS}?dryRun=All`,
    })
    expect(new TextDecoder().decode(request?.body)).toBe('{"kind":"Reading"}')
    expect(request?.headers).toMatchObject({
      accept: 'text/csv',
      'x-remote-user': 'bob',
      'x-remote-group': ['system:masters', 'system:authenticated'],
      'x-remote-extra-a%2fb': ['c'],
      'x-forwarded-host': 'readings.example.com:443',
      'audit-id': headers.get('audit-id'),
    })
    expect(
      Object.keys(request?.headers ?? {}).filter((name) =>
        /^(authorization|impersonate-)/.test(name),
      ),
    ).toEqual([])
  })

  it('are authorized here first', async () => {
    const { status } = await cluster.sendRequest({ path: READINGS, token: 'alice' })
    expect([status, passed]).toEqual([403, []])
  })

  it('explain why there was no response', async () => {
    handler = () => {
      throw new OutboundError('dial tcp 10.0.0.1:443: connect: connection refused')
    }
    expect(await cluster.sendRequest({ path: READINGS })).toMatchObject({
      status: 503,
      text: 'error trying to reach service: dial tcp 10.0.0.1:443: connect: connection refused\n',
    })
  })

  it('are compressed once, by the aggregated or by the own server', async () => {
    await cluster.close()
    cluster = await testCluster({
      outbound,
      controllers: [],
      compress: () => Promise.reject(new Error('packed again')),
    })
    await serve()
    await register()
    handler = () => ({ headers: { 'content-encoding': 'gzip' }, body: 'x'.repeat(200_000) })
    const response = await cluster.sendRequest({
      path: READINGS,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect([
      response.status,
      response.headers.get('content-encoding'),
      response.text.length,
    ]).toEqual([200, 'gzip', 200_000])
  })

  it('may be watches', async () => {
    handler = () => ({ body: ['one event\n', 'and another\n'] })
    expect((await cluster.sendRequest({ path: `${READINGS}?watch=true` })).text).toBe(
      'one event\nand another\n',
    )
  })

  it('are left to what is served here when the APIService goes', async () => {
    await cluster.sendRequest({ method: 'DELETE', path: `${SERVICES}/${NAME}` })
    expect(await cluster.sendRequest({ path: READINGS })).toMatchObject({
      status: 404,
      text: '404 page not found\n',
    })
  })
})

describe('discovery', () => {
  const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

  it('names the group at its priority, and its resources all at once', async () => {
    await serve()
    await register()
    const { json } = await cluster.sendRequest({ path: '/apis' })
    expect(json.groups.at(-1)).toMatchObject({
      name: 'metrics.example.com',
      preferredVersion: { groupVersion: 'metrics.example.com/v1', version: 'v1' },
    })
    expect((await cluster.sendRequest({ path: '/apis/metrics.example.com' })).json).toMatchObject({
      kind: 'APIGroup',
    })
    const all = await cluster.sendRequest({ path: '/apis', headers: { accept: aggregatedType } })
    expect(all.json.items.at(-1)).toMatchObject({
      metadata: { name: 'metrics.example.com' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'readings',
              responseKind: { group: 'metrics.example.com', version: 'v1', kind: 'Reading' },
              scope: 'Namespaced',
              shortNames: ['rd'],
              subresources: [{ subresource: 'status' }],
            },
          ],
        },
      ],
    })
  })

  it('puts a group of a high priority before others', async () => {
    await serve()
    await register({ groupPriorityMinimum: 20_000 })
    const { json } = await cluster.sendRequest({ path: '/apis' })
    expect(json.groups[1].name).toBe('metrics.example.com')
  })

  // Published tests of the real server.
  it('shows the group among the paths of the server, as long as it is there', async () => {
    const paths = async () =>
      (await cluster.sendRequest({ path: '/' })).json.paths.filter((path: string) =>
        path.includes('metrics.example.com'),
      )
    await register()
    expect(await paths()).toEqual(['/apis/metrics.example.com', '/apis/metrics.example.com/v1'])
    await cluster.sendRequest({ method: 'DELETE', path: `${SERVICES}/${NAME}` })
    expect(await paths()).toEqual([])
  })

  it('uses the aggregated discovery of a server', async () => {
    const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const responseKind = { group: 'metrics.example.com', version: 'v1', kind: 'Reading' }
    const resource = {
      resource: 'readings',
      responseKind,
      scope: 'Namespaced',
      singularResource: 'reading',
      verbs: ['get'],
      shortNames: ['rd'],
    }
    const versions = [
      {
        version: 'v1',
        resources: [
          { ...resource, subresources: [{ subresource: 'status', responseKind, verbs: ['get'] }] },
        ],
      },
      { version: 'v2', resources: [{ ...resource, resource: 'others' }] },
    ]
    const body = {
      kind: 'APIGroupDiscoveryList',
      items: [{ metadata: { name: 'metrics.example.com' }, versions }],
    }
    // It is reported even if the served path is missing.
    handler = ({ headers }, path) =>
      path === '/apis' && String(headers.accept).startsWith(`${aggregated},`)
        ? { headers: { 'content-type': `${aggregated}` }, body }
        : { status: 404, body: 'no' }
    await serve()
    await register()
    await expect.poll(async () => (await condition()).reason).toBe('FailedDiscoveryCheck')
    const { json } = await cluster.sendRequest({ path: '/apis', headers: { accept: aggregated } })
    const [found] = json.items.filter(
      ({ metadata }: { metadata: { name: string } }) => metadata.name === 'metrics.example.com',
    )
    expect(found.versions).toEqual([{ ...versions[0], freshness: 'Current' }])
  })

  it('lists the resources of a version for a server without aggregated discovery, as an anonymous aggregator', async () => {
    await serve()
    await register()
    const path = '/apis/metrics.example.com/v1'
    expect(await condition()).toMatchObject({ status: 'True' })
    const requested = passed
      .filter(({ url }) => url.endsWith(path))
      .map(({ headers }) => [headers.accept, headers['x-remote-group']])
    expect(requested.slice(0, 2)).toEqual([
      [undefined, ['system:masters']],
      ['application/json', undefined],
    ])
  })

  it('marks unreachable versions as stale, and keeps the order of the others', async () => {
    const before = (await cluster.sendRequest({ path: '/apis' })).json.groups
    await register()
    const all = await cluster.sendRequest({ path: '/apis', headers: { accept: aggregatedType } })
    expect(all.json.items.at(-1).versions).toEqual([{ version: 'v1', freshness: 'Stale' }])
    expect((await cluster.sendRequest({ path: '/apis' })).json.groups.slice(0, -1)).toEqual(before)
  })
})

describe('OpenAPI', () => {
  beforeEach(async () => {
    await serve()
    await register()
  })

  it('lists the document of the version and fetches it from there', async () => {
    const { json } = await cluster.sendRequest({ path: '/openapi/v3' })
    expect(json.paths['apis/metrics.example.com/v1']).toEqual({
      serverRelativeURL: '/openapi/v3/apis/metrics.example.com/v1?hash=ABC',
    })
    expect(
      (await cluster.sendRequest({ path: '/openapi/v3/apis/metrics.example.com/v1?hash=ABC' }))
        .json,
    ).toEqual(V3)
  })

  it('holds its paths and what they lead to in the document of all, other things under other names', async () => {
    const { json } = await cluster.sendRequest({ path: '/openapi/v2' })
    expect(json.paths['/apis/metrics.example.com/v1/readings']).toBeDefined()
    expect(json.paths['/healthz']).toBeUndefined()
    expect(json.definitions['com.example.Reading'].properties.metadata.$ref).toBe(
      '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2',
    )
    expect(json.definitions['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2'].description).toBe(
      'another one',
    )
    expect(json.definitions.unused).toBeUndefined()
    expect(json.parameters['window-AAAAAAAA']).toMatchObject({ name: 'window' })
    expect(json.definitions['com.example.Query']).toEqual({ type: 'string' })
    expect(Object.keys(json.parameters)).toContain('namespace-vgWSWtn3')
    expect(json.parameters['unused-CCCCCCCC']).toBeUndefined()
  })
})
