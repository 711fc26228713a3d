/**
 * Users in audit events: authenticated, impersonated and unauthenticated; events contain no
 * credentials.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { AuditEvent } from '../../src/engine/telemetry/audit/event'
import { auditPolicyText, parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import type { Trace } from '../../src/engine/telemetry/trace'
import { FIRST_POLICY } from '../../src/hosts/shared/recent-requests'
import { quickSignatures } from '../authentication/tokens-server'
import { type RequestOptions, sendRequest, testServer } from '../support/server'

const EVERYTHING = '{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: RequestResponse}]}'

let events: AuditEvent[]
let traces: Trace[]
beforeEach(() => {
  events = []
  traces = []
})

function serverWith(policy = EVERYTHING, more: Parameters<typeof testServer>[0] = {}) {
  const audit = {
    policy: parseAuditPolicy(policy),
    sink: (event: AuditEvent) => events.push(event),
  }
  const server = testServer({ audit, signatures: quickSignatures, ...more })
  server.onTrace((trace) => traces.push(trace))
  return server
}

describe('an impersonating request', () => {
  it('is audited with the user, and with the impersonated user once authorized', async () => {
    const headers = {
      'impersonate-user': 'jane',
      'impersonate-group': 'dev',
      'impersonate-uid': 'u1',
      'impersonate-extra-scope': 'a',
    }
    await sendRequest(serverWith(), { path: '/api', headers })
    const [received, complete] = events
    expect(received?.user).toMatchObject({ username: 'admin' })
    expect(received).not.toHaveProperty('impersonatedUser')
    expect(complete).toMatchObject({
      user: { username: 'admin' },
      impersonatedUser: {
        username: 'jane',
        uid: 'u1',
        groups: ['dev', 'system:authenticated'],
        extra: { scope: ['a'] },
      },
    })
    expect(Object.keys(complete ?? {}).indexOf('impersonatedUser')).toBe(
      Object.keys(complete ?? {}).indexOf('user') + 1,
    )
  })

  it('is audited without the impersonated user and the decision when denied', async () => {
    const { status } = await sendRequest(serverWith(), {
      path: '/api',
      token: 'alice',
      headers: { 'impersonate-user': 'jane' },
    })
    expect(status).toBe(403)
    expect(events[1]).toMatchObject({
      user: { username: 'alice' },
      responseStatus: { code: 403, reason: 'Forbidden' },
    })
    expect(events[1]).not.toHaveProperty('impersonatedUser')
    expect(events[1]).not.toHaveProperty('annotations')
  })

  it('is authorized as the impersonated user', async () => {
    await sendRequest(serverWith(), {
      path: '/api/v1/nodes',
      headers: { 'impersonate-user': 'jane' },
    })
    expect(events[1]).toMatchObject({
      user: { username: 'admin' },
      impersonatedUser: { username: 'jane' },
      annotations: { 'authorization.k8s.io/decision': 'forbid' },
    })
  })
})

describe('an unauthenticated request', () => {
  it.each<[string, RequestOptions]>([
    ['an unknown token', { path: '/api', token: 'wrong' }],
    ['nothing', { path: '/api', token: '' }],
    ['a password', { path: '/api', token: '', headers: { authorization: 'Basic YTpi' } }],
  ])('is logged once, with its response: %s', async (_, requested) => {
    await sendRequest(serverWith(EVERYTHING, { anonymousAuth: false }), requested)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ stage: 'ResponseStarted', verb: 'get', user: {} })
    expect(events[0]?.responseStatus).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    })
  })

  it('is audited only by rules without users', async () => {
    const policy =
      '{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: Metadata, users: [admin]}]}'
    await sendRequest(serverWith(policy), { path: '/api', token: 'wrong' })
    expect(events).toEqual([])
  })
})

describe('credentials', () => {
  const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
  const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews'

  it.each([
    ['everything is written down', EVERYTHING],
    ['the page is first opened', auditPolicyText(FIRST_POLICY)],
  ])('are absent from audit events and traces when %s', async (_, policy) => {
    const server = serverWith(policy)
    await sendRequest(server, {
      method: 'POST',
      path: ACCOUNTS,
      body: { metadata: { name: 'bot' } },
    })
    const { json } = await sendRequest(server, {
      method: 'POST',
      path: `${ACCOUNTS}/bot/token`,
      body: { spec: {}, status: { token: 'mine' } },
    })
    const { token } = json.status as { token: string }
    await sendRequest(server, { method: 'POST', path: REVIEWS, body: { spec: { token } } })
    await sendRequest(server, { path: '/api', token })
    await sendRequest(server, { path: '/api', token: `${token}x` })
    const written = JSON.stringify([events, traces])
    const [, claims = '', signature = ''] = token.split('.')
    expect(written).toContain('/bot/token')
    for (const secret of [token, claims, signature, '"mine"']) expect(written).not.toContain(secret)
  })

  it('are represented by the user', async () => {
    const server = serverWith()
    await sendRequest(server, {
      method: 'POST',
      path: ACCOUNTS,
      body: { metadata: { name: 'bot' } },
    })
    const { json } = await sendRequest(server, {
      method: 'POST',
      path: `${ACCOUNTS}/bot/token`,
      body: { spec: {} },
    })
    const issued = events.at(-1)
    const { 'authentication.kubernetes.io/issued-credential-id': identity = '' } =
      (issued?.annotations ?? {}) as Record<string, string>
    expect(identity).toMatch(/^JTI=[0-9a-f-]{36}$/)
    expect(issued).toMatchObject({ responseObject: { status: { token: 'REDACTED' } } })
    await sendRequest(server, { path: '/api', token: json.status.token })
    expect(events.at(-1)?.user).toMatchObject({
      extra: { 'authentication.kubernetes.io/credential-id': [identity] },
    })
  })

  it("of Secrets are not recorded with the page's first audit policy", async () => {
    const server = serverWith(auditPolicyText(FIRST_POLICY))
    const body = { metadata: { name: 's' }, data: { password: 'aHVudGVyMg==' } }
    await sendRequest(server, { method: 'POST', path: '/api/v1/namespaces/default/secrets', body })
    expect(events.at(-1)).toMatchObject({ level: 'Metadata', objectRef: { name: 's' } })
    expect(JSON.stringify([events, traces])).not.toContain('aHVudGVyMg')
  })

  it('that are stale are annotated', async () => {
    const clock = new SimulatedClock()
    const server = serverWith(EVERYTHING, { clock })
    await sendRequest(server, {
      method: 'POST',
      path: ACCOUNTS,
      body: { metadata: { name: 'bot' } },
    })
    const pod = {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'bot', containers: [{ name: 'c', image: 'i' }] },
    }
    await sendRequest(server, {
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      body: pod,
    })
    const spec = {
      expirationSeconds: 3607,
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' },
    }
    const { json } = await sendRequest(server, {
      method: 'POST',
      path: `${ACCOUNTS}/bot/token`,
      body: { spec },
    })
    await sendRequest(server, { path: '/api', token: json.status.token })
    expect(events.at(-1)?.annotations).not.toHaveProperty('authentication.k8s.io/stale-token')
    clock.advance(3_610_000)
    await sendRequest(server, { path: '/api', token: json.status.token })
    expect(events.at(-1)?.annotations).toMatchObject({
      'authentication.k8s.io/stale-token':
        'subject: system:serviceaccount:default:bot, seconds after warning threshold: 3',
    })
  })
})
