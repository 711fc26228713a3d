/** Flow schemas classify requests; headers of the response name the match (kubernetes.io, "API Priority and Fairness"). */
import { beforeEach, describe, expect, it } from 'vitest'
import { Flows } from '../../src/engine/flow-control/flows'
import type { ApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { type RequestOptions, sendRequest, testServer } from '../support/server'

const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1'
const SCHEMAS = `${GROUP}/flowschemas`
const LEVELS = `${GROUP}/prioritylevelconfigurations`

const everything = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
]
const alice = [{ kind: 'User', user: { name: 'alice' } }]

let server: ApiServer

beforeEach(() => {
  server = testServer()
})

async function nameOf(path: string, uid: string | null): Promise<string | undefined> {
  const { json } = await sendRequest(server, { path })
  const items = json.items as { metadata: { name: string; uid: string } }[]
  return items.find(({ metadata }) => metadata.uid === uid)?.metadata.name
}

/** `flow schema → priority level` of a request; undefined if the response names none. */
async function flowOf(requested: RequestOptions): Promise<string | undefined> {
  const { headers } = await sendRequest(server, requested)
  const [schema, level] = [
    'x-kubernetes-pf-flowschema-uid',
    'x-kubernetes-pf-prioritylevel-uid',
  ].map((name) => headers.get(name))
  if (schema === null && level === null) return undefined
  return `${await nameOf(SCHEMAS, schema ?? null)} → ${await nameOf(LEVELS, level ?? null)}`
}

async function addSchema(name: string, spec: object): Promise<void> {
  const body = {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name },
    spec,
  }
  expect((await sendRequest(server, { method: 'POST', path: SCHEMAS, body })).status).toBe(201)
}

const schemaFor = (rules: object[], matchingPrecedence = 500, level = 'workload-high') => ({
  matchingPrecedence,
  priorityLevelConfiguration: { name: level },
  rules,
})

describe('on a fresh server', () => {
  const asAccount = (namespace: string, name: string): Record<string, string> => ({
    'impersonate-user': `system:serviceaccount:${namespace}:${name}`,
  })
  const asNode = { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' }
  it.each<[string, RequestOptions, string | undefined]>([
    ['administrators are exempt', { path: '/api/v1/pods' }, 'exempt → exempt'],
    ['probes of any client are exempt', { path: '/healthz', token: '' }, 'probes → exempt'],
    ['single probes too', { path: '/livez/ping', token: 'alice' }, 'probes → exempt'],
    [
      'other paths are not',
      { path: '/version', token: 'alice' },
      'global-default → global-default',
    ],
    [
      'forbidden requests are classified',
      { path: '/api/v1/pods', token: 'alice' },
      'global-default → global-default',
    ],
    ['strangers too', { path: '/api/v1/pods', token: '' }, 'global-default → global-default'],
    [
      'service accounts',
      { path: '/api/v1/pods', headers: asAccount('a', 'b') },
      'service-accounts → workload-low',
    ],
    [
      'those of kube-system',
      { path: '/api/v1/pods', headers: asAccount('kube-system', 'b') },
      'kube-system-service-accounts → workload-high',
    ],
    [
      'elections',
      {
        path: '/apis/coordination.k8s.io/v1/namespaces/a/leases/b',
        headers: asAccount('kube-system', 'b'),
      },
      'system-leader-election → leader-election',
    ],
    [
      'nodes about themselves',
      { path: '/api/v1/nodes/n1', headers: asNode },
      'system-node-high → node-high',
    ],
    [
      'requests of nodes for other objects',
      { path: '/api/v1/pods', headers: asNode },
      'system-nodes → system',
    ],
    ['paths that are not served', { path: '/apis/nothing.example/v1/things' }, 'exempt → exempt'],
    [
      'logs run long and are not classified',
      { path: '/api/v1/namespaces/a/pods/b/log' },
      undefined,
    ],
    [
      'requests of an unknown user are not classified',
      { path: '/api/v1/pods', token: 'wrong' },
      undefined,
    ],
    [
      'a forbidden impersonation is not classified',
      { path: '/api/v1/pods', token: 'alice', headers: asNode },
      undefined,
    ],
  ])('%s', async (_, requested, flow) => {
    expect(await flowOf(requested)).toBe(flow)
  })

  it('the start of a watch is classified', async () => {
    const response = await server.fetch(
      new Request('http://localhost/api/v1/pods?watch=true&timeoutSeconds=1', {
        headers: { authorization: 'Bearer admin' },
      }),
    )
    expect(await nameOf(SCHEMAS, response.headers.get('x-kubernetes-pf-flowschema-uid'))).toBe(
      'exempt',
    )
    await response.body?.cancel()
  })
})

describe('a custom flow schema', () => {
  const pods = { path: '/api/v1/namespaces/a/pods', token: 'alice' }

  it('matches from the response to its creation until it is deleted', async () => {
    expect(await flowOf(pods)).toBe('global-default → global-default')
    await addSchema('own', schemaFor([{ subjects: alice, resourceRules: everything }]))
    expect(await flowOf(pods)).toBe('own → workload-high')
    await sendRequest(server, { method: 'DELETE', path: `${SCHEMAS}/own` })
    expect(await flowOf(pods)).toBe('global-default → global-default')
  })

  it('is ordered by precedence, then by name', async () => {
    await addSchema('c', schemaFor([{ subjects: alice, resourceRules: everything }]))
    await addSchema('b', schemaFor([{ subjects: alice, resourceRules: everything }]))
    expect(await flowOf(pods)).toBe('b → workload-high')
    await addSchema('z', schemaFor([{ subjects: alice, resourceRules: everything }], 499))
    expect(await flowOf(pods)).toBe('z → workload-high')
  })

  it('matches nothing while its priority level does not exist', async () => {
    await addSchema(
      'own',
      schemaFor([{ subjects: alice, resourceRules: everything }], 500, 'missing'),
    )
    expect(await flowOf(pods)).toBe('global-default → global-default')
  })

  const inNamespaceB = ['/api/v1/namespaces/b/pods', '/api/v1/namespaces/b/pods/c']
  const all = [
    '/api/v1/pods',
    '/api/v1/namespaces/a/pods/b',
    '/api/v1/namespaces/a/pods/b/status',
    '/apis/apps/v1/deployments',
    ...inNamespaceB,
  ]
  const lists = ['/api/v1/pods', '/apis/apps/v1/deployments', '/api/v1/namespaces/b/pods']
  it.each<[string, object, string[]]>([
    ['a verb', { verbs: ['list'] }, lists],
    [
      'a resource',
      { resources: ['pods'] },
      ['/api/v1/pods', '/api/v1/namespaces/a/pods/b', ...inNamespaceB],
    ],
    ['a subresource', { resources: ['pods/status'] }, ['/api/v1/namespaces/a/pods/b/status']],
    ['a group', { apiGroups: ['apps'] }, ['/apis/apps/v1/deployments']],
    ['a namespace', { namespaces: ['b'], clusterScope: false }, inNamespaceB],
    [
      'what is in no namespace',
      { namespaces: [], clusterScope: true },
      ['/api/v1/pods', '/apis/apps/v1/deployments'],
    ],
  ])('can match %s alone', async (_, part, covered) => {
    await addSchema(
      'own',
      schemaFor([{ subjects: alice, resourceRules: [{ ...everything[0], ...part }] }]),
    )
    for (const path of all) {
      const flow = covered.includes(path)
        ? 'own → workload-high'
        : 'global-default → global-default'
      expect([path, await flowOf({ path, token: 'alice' })]).toEqual([path, flow])
      // Now it is cached.
      expect(await flowOf({ path, token: 'alice' })).toBe(flow)
    }
  })

  it.each([
    ['/version', '/version', true],
    ['/version', '/version/x', true],
    ['/version', '/versions', false],
    ['/openapi/*', '/openapi/v3', true],
    ['/openapi/*', '/openapi', false],
    ['*', '/metrics', true],
  ])('%s means the path %s: %s', async (url, path, isMeant) => {
    await addSchema(
      'own',
      schemaFor([
        { subjects: alice, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [url] }] },
      ]),
    )
    expect(await flowOf({ path, token: 'alice' })).toBe(
      isMeant ? 'own → workload-high' : 'global-default → global-default',
    )
  })

  it.each<[string, object, boolean]>([
    ['every user', { kind: 'User', user: { name: '*' } }, true],
    ['every group', { kind: 'Group', group: { name: '*' } }, true],
    ['a group', { kind: 'Group', group: { name: 'developers' } }, true],
    ['another group', { kind: 'Group', group: { name: 'operators' } }, false],
    [
      'service accounts',
      { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
      false,
    ],
  ])('matches %s', async (_, subject, isMeant) => {
    await addSchema('own', schemaFor([{ subjects: [subject], resourceRules: everything }]))
    expect(await flowOf(pods)).toBe(
      isMeant ? 'own → workload-high' : 'global-default → global-default',
    )
  })

  it('matches the current groups of the user', async () => {
    await addSchema(
      'own',
      schemaFor([
        { subjects: [{ kind: 'Group', group: { name: 'late' } }], resourceRules: everything },
      ]),
    )
    const as = (group: string): RequestOptions => ({
      path: '/api/v1/pods',
      headers: { 'impersonate-user': 'bob', 'impersonate-group': group },
    })
    expect(await flowOf(as('early'))).toBe('global-default → global-default')
    expect(await flowOf(as('late'))).toBe('own → workload-high')
  })
})

it('requests are served while flow schemas cannot be read', async () => {
  const storage = createMemoryStorage()
  const { range } = storage
  let fails = true
  storage.range = (prefix, options) =>
    fails && prefix === '/registry/flowschemas/'
      ? Promise.reject(new Error('unreachable'))
      : range.call(storage, prefix, options)
  const flows = new Flows(storage, () => 0)
  const requested = {
    verb: 'get',
    isResource: false,
    path: '/livez',
    group: '',
    resource: '',
    subresource: '',
    namespace: '',
  }
  const user = { name: 'alice', groups: ['system:authenticated'] }
  expect(await flows.flowOf(requested, user)).toBeUndefined()
  fails = false
  expect(await flows.flowOf(requested, user)).toMatchObject({
    tally: { schema: 'catch-all' },
    schemaUid: '',
  })
})

it('shows administrators how requests were classified', async () => {
  await sendRequest(server, { path: '/api/v1/pods', token: 'alice' })
  const { headers, text } = await sendRequest(server, {
    path: '/debug/api_priority_and_fairness/dump_priority_levels',
  })
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text.split('\n').slice(0, 4)).toEqual([
    'PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests',
    'catch-all,         0,            true,   false,       0,               0,                 0,                  0,                0,                0',
    'exempt,            0,            false,  false,       0,               1,                 1,                  0,                0,                0',
    'global-default,    0,            true,   false,       0,               0,                 1,                  0,                0,                0',
  ])
  const { text: metrics } = await sendRequest(server, { path: '/metrics' })
  expect(metrics).toContain(
    'apiserver_flowcontrol_dispatched_requests_total{flow_schema="global-default",priority_level="global-default"} 1\n',
  )
  expect(metrics).toContain(
    'apiserver_flowcontrol_current_executing_requests{flow_schema="exempt",priority_level="exempt"} 1\n',
  )
})
