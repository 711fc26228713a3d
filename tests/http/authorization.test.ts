import { describe, expect, it } from 'vitest'
import type { Attributes } from '../../src/engine/authorization/authorizer'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { review } from '../authorization/building'
import { hooked, TOKENS } from './authorization-webhook'
import { testClient } from './test-client'

const JANE = { authorization: 'Bearer jane-token' }

describe('the attributes of a request', () => {
  const CONFIG_MAPS = '/api/v1/namespaces/a/configmaps'
  const inA = { namespace: 'a', version: 'v1', resource: 'configmaps' }

  it.each<[string, string, Partial<Attributes>]>([
    ['POST', CONFIG_MAPS, { verb: 'create', ...inA }],
    ['GET', `${CONFIG_MAPS}/c`, { verb: 'get', ...inA, name: 'c' }],
    ['HEAD', `${CONFIG_MAPS}/c`, { verb: 'get', ...inA, name: 'c' }],
    ['GET', CONFIG_MAPS, { verb: 'list', ...inA }],
    ['GET', `${CONFIG_MAPS}?watch=true`, { verb: 'watch', ...inA }],
    ['GET', `${CONFIG_MAPS}?fieldSelector=metadata.name%3Dc`, { verb: 'list', ...inA, name: 'c' }],
    ['PUT', `${CONFIG_MAPS}/c`, { verb: 'update', ...inA, name: 'c' }],
    ['PATCH', `${CONFIG_MAPS}/c`, { verb: 'patch', ...inA, name: 'c' }],
    ['DELETE', `${CONFIG_MAPS}/c`, { verb: 'delete', ...inA, name: 'c' }],
    ['DELETE', CONFIG_MAPS, { verb: 'deletecollection', ...inA }],
    [
      'GET',
      '/api/v1/namespaces/a/pods/p/log',
      {
        verb: 'get',
        namespace: 'a',
        version: 'v1',
        resource: 'pods',
        subresource: 'log',
        name: 'p',
      },
    ],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      {
        verb: 'update',
        namespace: 'a',
        version: 'v1',
        resource: 'namespaces',
        subresource: 'finalize',
        name: 'a',
      },
    ],
    [
      'GET',
      '/apis/apps/v1/deployments',
      { verb: 'list', group: 'apps', version: 'v1', resource: 'deployments' },
    ],
    [
      'GET',
      '/api/v1/proxy/namespaces/a/pods/p',
      { verb: 'proxy', namespace: 'a', version: 'v1', resource: 'pods', name: 'p' },
    ],
    ['GET', '/version', { verb: 'get', path: '/version' }],
    ['POST', '/anything/else', { verb: 'post', path: '/anything/else' }],
    ['GET', '/apis/apps', { verb: 'get', path: '/apis/apps' }],
  ])('%s %s', async (method, target, requested) => {
    const { sendRequest, questions } = hooked(() => review({}))
    expect(await sendRequest(target, { method, headers: JANE })).toMatchObject({ status: 403 })
    expect(questions).toEqual([requested])
  })

  it('sends impersonation reviews first', async () => {
    const { sendRequest, questions } = hooked(() => review({ allowed: true }))
    await sendRequest('/version', {
      headers: { ...JANE, 'impersonate-user': 'zoe', 'impersonate-group': 'g' },
    })
    expect(questions).toEqual([
      { verb: 'impersonate', version: 'v1', resource: 'users', name: 'zoe' },
      { verb: 'impersonate', version: 'v1', resource: 'groups', name: 'g' },
      { verb: 'get', path: '/version' },
    ])
  })

  it('sends selectors only with the feature gate AuthorizeWithSelectors', async () => {
    const target = `${CONFIG_MAPS}?fieldSelector=a%3Db,c!%3Dd&labelSelector=x,y%20in%20(2,1)`
    const plain = hooked(() => review({}))
    await plain.sendRequest(target, { headers: JANE })
    expect(plain.questions).toEqual([{ verb: 'list', ...inA }])
    const gated = hooked(() => review({}), { AuthorizeWithSelectors: true })
    await gated.sendRequest(target, { headers: JANE })
    expect(gated.questions).toEqual([
      {
        verb: 'list',
        ...inA,
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b'] },
            { key: 'c', operator: 'NotIn', values: ['d'] },
          ],
        },
        labelSelector: {
          requirements: [
            { key: 'x', operator: 'Exists' },
            { key: 'y', operator: 'In', values: ['1', '2'] },
          ],
        },
      },
    ])
  })
})

describe('the response to a forbidden request', () => {
  it('is 403 with the reasons', async () => {
    const { sendRequest } = hooked(() => review({ denied: true, reason: 'not today' }))
    const { status, json } = await sendRequest('/api/v1/namespaces/a/pods/p/log', { headers: JANE })
    expect(status).toBe(403)
    expect(json).toMatchObject({
      message:
        'pods "p" is forbidden: User "jane" cannot get resource "pods/log" in API group "" in the namespace "a": not today',
      reason: 'Forbidden',
      details: { name: 'p', kind: 'pods' },
    })
  })

  it('is a plain-text 500 if the modes failed and none allowed', async () => {
    const { sendRequest } = hooked(() => ({ status: 200, contentType: '', body: '{}' }))
    const { status, text, headers } = await sendRequest('/api/v1/pods', { headers: JANE })
    expect([status, headers.get('content-type')]).toEqual([500, 'text/plain; charset=utf-8'])
    expect(text).toBe(`Internal Server Error: "/api/v1/pods": Object 'Kind' is missing in '{}'\n`)
  })
})

describe('the audit event of a request', () => {
  const policy = parseAuditPolicy(
    '{apiVersion: audit.k8s.io/v1, kind: Policy, omitStages: [RequestReceived], rules: [{level: Metadata}]}',
  )

  it.each([
    [
      'was allowed',
      review({ allowed: true, reason: 'yes' }),
      { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': 'yes' },
    ],
    [
      'was denied',
      review({ denied: true, reason: 'no' }),
      { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': 'no' },
    ],
    [
      'could not be evaluated',
      { status: 200, contentType: '', body: '{}' },
      { 'authorization.k8s.io/reason': 'internal error' },
    ],
  ])('records that it %s', async (_, response, annotations) => {
    const events: AuditEvent[] = []
    const { sendRequest } = hooked(
      () => response,
      {},
      { audit: { policy, sink: (event) => events.push(event) } },
    )
    await sendRequest('/version', { headers: JANE })
    expect(events).toMatchObject([{ annotations }])
    expect(Object.keys(events[0]?.annotations ?? {})).toEqual(Object.keys(annotations))
  })
})

describe('a server with other modes', () => {
  it('requires credentials with AlwaysAllow, and creates no roles', async () => {
    const sendRequest = testClient({ tokens: TOKENS, authorization: { modes: ['AlwaysAllow'] } })
    expect(await sendRequest('/version', { headers: { authorization: '' } })).toMatchObject({
      status: 401,
    })
    const { json } = await sendRequest('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      headers: JANE,
    })
    expect(json.items).toEqual([])
  })

  it('keeps the escalation checks of RBAC', async () => {
    const policies = '{"user":"jane"}'
    const sendRequest = testClient({
      tokens: TOKENS,
      files: { read: () => policies },
      authorization: { modes: ['ABAC'], policyFile: '/p' },
    })
    const body = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }
    // The policy grants jane the verb `escalate` like any other.
    expect(
      await sendRequest('/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', {
        method: 'POST',
        body,
        headers: JANE,
      }),
    ).toMatchObject({
      status: 201,
    })
  })

  it('rejects invalid combinations of modes', () => {
    expect(() => testClient({ featureGates: { AuthorizeNodeWithSelectors: true } })).toThrow(
      'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
    )
    expect(() => testClient({ authorization: { modes: ['Nope'] } })).toThrow(
      'authorization-mode "Nope" is not a valid mode',
    )
  })
})
