/** Content of audit events, by the level of the policy. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type AuditEvent, auditLine } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { configMap, sendRequest, testServer } from '../support/server'

let events: AuditEvent[]
beforeEach(() => {
  events = []
})

const serverWith = (level: string, more = '') =>
  testServer({
    audit: {
      policy: parseAuditPolicy(
        `{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: ${level}${more}}]}`,
      ),
      sink: (event) => events.push(event),
    },
  })

const COLLECTION = '/api/v1/namespaces/default/configmaps'

it('None records nothing', async () => {
  await sendRequest(serverWith('None'), { path: COLLECTION })
  expect(events).toEqual([])
})

it('Metadata records user, verb, object, time and response code', async () => {
  const { headers } = await sendRequest(serverWith('Metadata'), {
    path: `${COLLECTION}/kube-root`,
    headers: { 'user-agent': 'kubectl/v1.31' },
  })
  const common = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: headers.get('audit-id'),
    requestURI: '/api/v1/namespaces/default/configmaps/kube-root',
    verb: 'get',
    user: { username: 'admin', uid: '1', groups: ['system:masters', 'system:authenticated'] },
    sourceIPs: ['127.0.0.1'],
    objectRef: {
      resource: 'configmaps',
      namespace: 'default',
      name: 'kube-root',
      apiVersion: 'v1',
    },
  }
  const [received, complete] = events
  expect(received).toMatchObject({ ...common, stage: 'RequestReceived' })
  expect(received).not.toHaveProperty('responseStatus')
  expect(complete).toMatchObject({
    ...common,
    stage: 'ResponseComplete',
    responseStatus: {
      metadata: {},
      status: 'Failure',
      reason: 'NotFound',
      message: 'configmaps "kube-root" not found',
      code: 404,
    },
    annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    requestReceivedTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  })
  expect(complete).not.toHaveProperty('responseObject')
})

it('Request adds the request object, RequestResponse the response object', async () => {
  const body = configMap('a', { color: 'red' })
  await sendRequest(serverWith('Request'), { method: 'POST', path: COLLECTION, body })
  expect(events[1]).toMatchObject({
    requestObject: body,
    responseStatus: { metadata: {}, code: 201 },
    objectRef: { name: 'a' },
  })
  expect(events[1]).not.toHaveProperty('responseObject')

  events = []
  const { json } = await sendRequest(serverWith('RequestResponse'), {
    method: 'POST',
    path: COLLECTION,
    body,
  })
  expect(events[1]).toMatchObject({ requestObject: body, responseObject: json })
  expect(events[0]).not.toHaveProperty('requestObject')
})

it('a request rejected before authentication is recorded once', async () => {
  const { status } = await sendRequest(serverWith('Metadata'), {
    path: `${COLLECTION}?timeout=soon`,
  })
  expect(status).toBe(400)
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    stage: 'ResponseStarted',
    verb: 'list',
    user: {},
    responseStatus: { code: 400, reason: 'BadRequest' },
  })
})

it.each<[string, Record<string, string>, string | undefined, string[]]>([
  ['the client itself', {}, '10.0.0.9', ['10.0.0.9']],
  ['a host without a client address', {}, undefined, ['127.0.0.1']],
  [
    'proxies with forwarding headers',
    { 'x-forwarded-for': '10.1.1.1, unknown, 2001:DB8::1' },
    '::ffff:10.0.0.9',
    ['10.1.1.1', '2001:db8::1', '10.0.0.9'],
  ],
  [
    'a proxy with the header twice',
    { 'x-forwarded-for': '10.1.1.1', 'x-real-ip': '10.1.1.1' },
    '10.1.1.1',
    ['10.1.1.1'],
  ],
  [
    'a proxy that names one more',
    { 'x-forwarded-for': '10.1.1.1', 'x-real-ip': '10.2.2.2' },
    '10.0.0.9',
    ['10.1.1.1', '10.2.2.2', '10.0.0.9'],
  ],
])('records the source addresses: %s', async (_, output, remote, sources) => {
  const headers: Record<string, string> = { authorization: 'Bearer admin', ...output }
  await serverWith('Metadata').handle({
    method: 'GET',
    target: COLLECTION,
    header: (name) => headers[name],
    headerNames: () => Object.keys(headers),
    body: async () => new Uint8Array(),
    remoteAddress: () => remote,
  })
  expect(events[1]?.sourceIPs).toEqual(sources)
})

it('a line of the log escapes HTML characters', async () => {
  await sendRequest(serverWith('Metadata'), { path: `${COLLECTION}?limit=1&labelSelector=a` })
  const line = auditLine(events[0] as AuditEvent)
  expect(line).toContain('?limit=1\\u0026labelSelector=a"')
  expect(JSON.parse(line)).toEqual(events[0])
})

it('limits the length of client-supplied fields', async () => {
  await sendRequest(serverWith('Metadata'), {
    path: COLLECTION,
    headers: { 'user-agent': 'a'.repeat(1025) },
  })
  expect(events[0]?.userAgent).toBe(`${'a'.repeat(1024)}...TRUNCATED`)
})

it.each(['application/yaml', 'application/vnd.kubernetes.protobuf'])(
  'records the response as %s',
  async (accept) => {
    await sendRequest(serverWith('RequestResponse'), {
      path: '/api/v1/namespaces/default',
      headers: { accept },
    })
    expect(events[1]?.responseObject).toMatchObject({
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { name: 'default' },
    })
    events = []
    await sendRequest(serverWith('Metadata'), {
      path: '/api/v1/namespaces/nothing',
      headers: { accept },
    })
    expect(events[1]?.responseStatus).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "nothing" not found',
    })
  },
)

it('omits managedFields where the policy does', async () => {
  await sendRequest(serverWith('RequestResponse', ', omitManagedFields: true'), {
    method: 'POST',
    path: COLLECTION,
    body: configMap('a'),
  })
  const response = events[1]?.responseObject as { metadata: object }
  expect(response.metadata).toHaveProperty('uid')
  expect(response.metadata).not.toHaveProperty('managedFields')
})

it('records the user and reason of a denied request', async () => {
  const { status } = await sendRequest(serverWith('Metadata'), { path: COLLECTION, token: 'alice' })
  expect(status).toBe(403)
  expect(events[1]).toMatchObject({
    user: { username: 'alice' },
    responseStatus: { code: 403, reason: 'Forbidden' },
    annotations: { 'authorization.k8s.io/decision': 'forbid' },
  })
})

it('keeps the audit ID of the client', async () => {
  const { headers } = await sendRequest(serverWith('Metadata'), {
    path: COLLECTION,
    headers: { 'audit-id': 'mine' },
  })
  expect(headers.get('audit-id')).toBe('mine')
  expect(events.map(({ auditID }) => auditID)).toEqual(['mine', 'mine'])
})

describe('a watch', () => {
  it('is recorded at its start and its end', async () => {
    const server = serverWith('Metadata')
    const headers = { authorization: 'Bearer admin' }
    const response = await server.fetch(
      new Request(`http://localhost${COLLECTION}?watch=1`, { headers }),
    )
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted'])
    await response.body?.cancel()
    expect(events.map(({ stage }) => stage)).toEqual([
      'RequestReceived',
      'ResponseStarted',
      'ResponseComplete',
    ])
    expect(events[2]).toMatchObject({ verb: 'watch', responseStatus: { code: 200 } })
  })

  it.each([`${COLLECTION}?watch=1`, '/api/v1/namespaces/default/pods/b/log'])(
    'is recorded as started although rejected: %s',
    async (path) => {
      await sendRequest(serverWith('Metadata'), { path, token: 'alice' })
      expect(events.map(({ stage }) => stage)).toEqual([
        'RequestReceived',
        'ResponseStarted',
        'ResponseComplete',
      ])
      expect(events[1]).toMatchObject({ responseStatus: { code: 403, reason: 'Forbidden' } })
    },
  )
})

it('counts events that could not be written', async () => {
  const failures: string[] = []
  const policy = parseAuditPolicy(
    JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      rules: [{ level: 'Metadata' }],
    }),
  )
  const sink = () => {
    throw new Error('the disk is full')
  }
  const server = testServer({
    audit: { policy, sink },
    log: { error: (message) => failures.push(message) },
  })
  const { text } = await sendRequest(server, { path: '/metrics' })
  expect(text).toContain('apiserver_audit_error_total{plugin="log"} 1')
  expect(failures.length).toBeGreaterThan(0)
})
