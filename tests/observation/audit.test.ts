/** What is written down of a request, by the level of the policy. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../src/engine/observation/audit/event'
import { parseAuditPolicy } from '../../src/engine/observation/audit/policy'
import { ask, configMap, testServer } from '../support/server'

let events: AuditEvent[]
beforeEach(() => {
  events = []
})

const serverWith = (level: string, more = '') =>
  testServer({
    audit: {
      policy: parseAuditPolicy(`{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: ${level}${more}}]}`),
      sink: (event) => events.push(event),
    },
  })

const COLLECTION = '/api/v1/namespaces/default/configmaps'

it('None writes nothing', async () => {
  await ask(serverWith('None'), { path: COLLECTION })
  expect(events).toEqual([])
})

it('Metadata says who did what to which object, when, and what came of it', async () => {
  const { headers } = await ask(serverWith('Metadata'), { path: `${COLLECTION}/kube-root`, headers: { 'user-agent': 'kubectl/v1.31' } })
  const common = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: headers.get('audit-id'),
    requestURI: '/api/v1/namespaces/default/configmaps/kube-root',
    verb: 'get',
    user: { username: 'admin', uid: '1', groups: ['system:masters', 'system:authenticated'] },
    sourceIPs: ['127.0.0.1'],
    objectRef: { resource: 'configmaps', namespace: 'default', name: 'kube-root', apiVersion: 'v1' },
  }
  const [received, complete] = events
  expect(received).toMatchObject({ ...common, stage: 'RequestReceived' })
  expect(received).not.toHaveProperty('responseStatus')
  expect(complete).toMatchObject({
    ...common,
    stage: 'ResponseComplete',
    responseStatus: { metadata: {}, status: 'Failure', reason: 'NotFound', message: 'configmaps "kube-root" not found', code: 404 },
    annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    requestReceivedTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  })
  expect(complete).not.toHaveProperty('responseObject')
})

it('Request adds what was sent, RequestResponse what was answered', async () => {
  const body = configMap('a', { colour: 'red' })
  await ask(serverWith('Request'), { method: 'POST', path: COLLECTION, body })
  expect(events[1]).toMatchObject({ requestObject: body, responseStatus: { metadata: {}, code: 201 }, objectRef: { name: 'a' } })
  expect(events[1]).not.toHaveProperty('responseObject')

  events = []
  const { json } = await ask(serverWith('RequestResponse'), { method: 'POST', path: COLLECTION, body })
  expect(events[1]).toMatchObject({ requestObject: body, responseObject: json })
  expect(events[0]).not.toHaveProperty('requestObject')
})

it('leaves ownership out where the policy says so', async () => {
  await ask(serverWith('RequestResponse', ', omitManagedFields: true'), { method: 'POST', path: COLLECTION, body: configMap('a') })
  const response = events[1]?.responseObject as { metadata: object }
  expect(response.metadata).toHaveProperty('uid')
  expect(response.metadata).not.toHaveProperty('managedFields')
})

it('says who was refused, and why', async () => {
  const { status } = await ask(serverWith('Metadata'), { path: COLLECTION, token: 'alice' })
  expect(status).toBe(403)
  expect(events[1]).toMatchObject({
    user: { username: 'alice' },
    responseStatus: { code: 403, reason: 'Forbidden' },
    annotations: { 'authorization.k8s.io/decision': 'forbid' },
  })
})

it("takes the client's own identity of a request", async () => {
  const { headers } = await ask(serverWith('Metadata'), { path: COLLECTION, headers: { 'audit-id': 'mine' } })
  expect(headers.get('audit-id')).toBe('mine')
  expect(events.map(({ auditID }) => auditID)).toEqual(['mine', 'mine'])
})

describe('a watch', () => {
  it('is written when it begins and when it ends', async () => {
    const server = serverWith('Metadata')
    const headers = { authorization: 'Bearer admin' }
    const response = await server.fetch(new Request(`http://localhost${COLLECTION}?watch=1`, { headers }))
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted'])
    await response.body?.cancel()
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete'])
    expect(events[2]).toMatchObject({ verb: 'watch', responseStatus: { code: 200 } })
  })
})
