import { describe, expect, it } from 'vitest'
import type { AuthorizationOptions } from '../../src/engine/authorization/configuration/options'
import {
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '../../src/engine/core/outbound'
import { type Built, built, KUBECONFIG, review } from './building'
import { attributesOf, pathAttributes } from './roles'

const JANE = { name: 'jane', uid: 'u', groups: ['dev'], extra: { scopes: ['a', 'b'] } }

function hooked(
  webhook: (request: OutboundRequest) => OutboundResponse | Promise<OutboundResponse>,
  options: AuthorizationOptions = {},
): Built {
  const flags = { modes: ['Webhook'], webhookConfigFile: '/hook', webhookVersion: 'v1', ...options }
  return built(flags, { files: { '/hook': KUBECONFIG }, webhook })
}

/** Advances the clock through all retries. */
async function patiently<Result>(
  { clock }: Built,
  requested: Result | Promise<Result>,
): Promise<Result> {
  let settled = false
  const done = Promise.resolve(requested).finally(() => {
    settled = true
  })
  while (!settled) {
    await new Promise((resolve) => setImmediate(resolve))
    const due = clock.nextDue()
    if (!settled && due !== undefined) clock.advance(due - clock.now())
  }
  return done
}

const status = (code: number, reason: string, message: string): OutboundResponse => ({
  status: code,
  contentType: 'application/json',
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason,
    message,
    code,
  }),
})

describe('the Webhook authorizer', () => {
  it('requires a kubeconfig file and a supported version', () => {
    const flags = { modes: ['Webhook'], webhookConfigFile: '/hook' }
    expect(() => built(flags)).toThrow(
      'invalid authorization config: stat /hook: no such file or directory',
    )
    expect(() => built(flags, { files: { '/hook': 'clusters: []' } })).toThrow(
      'invalid authorization config: invalid configuration: no configuration has been provided',
    )
    expect(() =>
      built({ ...flags, webhookVersion: 'v2' }, { files: { '/hook': KUBECONFIG } }),
    ).toThrow(
      'invalid authorization config: unsupported webhook authorizer version "v2", supported versions are "v1", "v1beta1"',
    )
  })

  it('rejects a response of the wrong type', async () => {
    const { authorizer } = hooked(() => review({ allowed: 'true' } as never))
    expect(await authorizer.authorize(attributesOf(JANE, 'get', 'pods', 'a'))).toMatchObject({
      decision: 'noOpinion',
      error:
        'json: cannot unmarshal string into Go struct field SubjectAccessReviewStatus.status.allowed of type bool',
    })
  })

  it('posts a SubjectAccessReview as the kubeconfig file specifies', async () => {
    const requests: OutboundRequest[] = []
    const { authorizer } = hooked((request) => {
      requests.push(request)
      return review({ allowed: true })
    })
    await authorizer.authorize(attributesOf(JANE, 'get', 'pods/log', 'a', { name: 'p' }))
    expect(requests[0]).toMatchObject({
      url: 'http://hook/authorize?timeout=30s',
      headers: { authorization: 'Bearer secret' },
    })
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: { creationTimestamp: null },
      spec: {
        resourceAttributes: {
          namespace: 'a',
          verb: 'get',
          version: 'v1',
          resource: 'pods',
          subresource: 'log',
          name: 'p',
        },
        user: 'jane',
        groups: ['dev'],
        extra: { scopes: ['a', 'b'] },
        uid: 'u',
      },
      status: { allowed: false },
    })
  })

  it('sends v1beta1 by default, which has "group" for groups', async () => {
    let spec: Record<string, unknown> = {}
    const { authorizer } = hooked(
      ({ body }) => {
        spec = JSON.parse(body).spec
        return review({ allowed: true }, 'v1beta1')
      },
      { webhookVersion: undefined },
    )
    expect(await authorizer.authorize(pathAttributes('jane', 'get', '/x'))).toMatchObject({
      decision: 'allow',
    })
    expect(spec).toEqual({
      nonResourceAttributes: { path: '/x', verb: 'get' },
      user: 'jane',
      group: ['system:authenticated'],
    })
  })

  it.each([
    [
      { allowed: true, reason: 'yes' },
      { decision: 'allow', reason: 'yes' },
    ],
    [
      { denied: true, reason: 'no' },
      { decision: 'deny', reason: 'no' },
    ],
    [{ reason: 'who knows' }, { decision: 'noOpinion', reason: 'who knows' }],
    [
      { allowed: true, denied: true, reason: 'both' },
      {
        decision: 'deny',
        reason: 'both',
        error: 'webhook subject access review returned both allow and deny response',
      },
    ],
  ])('accepts the response %j', async (response, verdict) => {
    expect(
      await hooked(() => review(response)).authorizer.authorize(
        attributesOf('jane', 'get', 'pods'),
      ),
    ).toMatchObject(verdict)
  })

  it('caches allowed decisions for 5 minutes and others for 30 seconds', async () => {
    let calls = 0
    const { authorizer, clock } = hooked(({ body }) => {
      calls++
      return review({ allowed: body.includes('"get"'), reason: `call ${calls}` })
    })
    const may = attributesOf('jane', 'get', 'pods')
    const mayNot = attributesOf('jane', 'delete', 'pods')
    expect(await authorizer.authorize(may)).toMatchObject({ reason: 'call 1' })
    expect(await authorizer.authorize(mayNot)).toMatchObject({ reason: 'call 2' })
    clock.advance(29_999)
    expect(authorizer.authorize(may)).toMatchObject({ reason: 'call 1' })
    expect(authorizer.authorize(mayNot)).toMatchObject({ reason: 'call 2' })
    clock.advance(1)
    expect(await authorizer.authorize(mayNot)).toMatchObject({ reason: 'call 3' })
    clock.advance(270_000)
    expect(await authorizer.authorize(may)).toMatchObject({ reason: 'call 4' })
    expect(await authorizer.authorize(attributesOf('joe', 'get', 'pods'))).toMatchObject({
      reason: 'call 5',
    })
  })

  it('caches nothing with TTLs of zero', async () => {
    let calls = 0
    const { authorizer } = hooked(() => review({ allowed: true, reason: `call ${++calls}` }), {
      webhookAuthorizedTTL: 0,
    })
    await authorizer.authorize(attributesOf('jane', 'get', 'pods'))
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toMatchObject({
      reason: 'call 2',
    })
  })

  it('has no opinion when a call fails, and gives the error as reason', async () => {
    const { authorizer } = hooked(() => status(403, 'Forbidden', 'not you'))
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toEqual({
      decision: 'noOpinion',
      reason: '',
      error: 'not you',
    })
  })

  it('retries retryable errors, five attempts in all', async () => {
    let calls = 0
    const failing = hooked(() => {
      calls++
      return status(500, 'InternalError', 'broken')
    })
    const begun = failing.clock.now()
    expect(
      await patiently(failing, failing.authorizer.authorize(attributesOf('jane', 'get', 'pods'))),
    ).toMatchObject({ error: 'broken' })
    expect(calls).toBe(5)
    expect(failing.clock.now() - begun).toBeGreaterThan(500 + 750 + 1125 + 1687)
    const healing = hooked(() =>
      ++calls < 8 ? status(429, 'TooManyRequests', 'busy') : review({ allowed: true }),
    )
    expect(
      await patiently(healing, healing.authorizer.authorize(attributesOf('jane', 'get', 'pods'))),
    ).toMatchObject({ decision: 'allow' })
  })

  it('stops at the timeout', async () => {
    const silent = hooked(() => new Promise(() => {}))
    expect(
      await patiently(silent, silent.authorizer.authorize(attributesOf('jane', 'get', 'pods'))),
    ).toMatchObject({
      error:
        'Post "http://hook/authorize?timeout=30s": net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
    })
    expect(silent.metrics()).toContain(
      'apiserver_authorization_webhook_evaluations_fail_open_total{name="default",result="timeout"} 1',
    )
  })

  it('reports the connection error', async () => {
    const { authorizer } = hooked(() => {
      throw new OutboundError('dial tcp 127.0.0.1:1: connect: connection refused')
    })
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toMatchObject({
      error:
        'Post "http://hook/authorize?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    })
  })

  it.each([
    [
      'no JSON',
      /^couldn't get version\/kind; json parse error: json: cannot unmarshal string into Go value of type struct/,
    ],
    ['{}', /^Object 'Kind' is missing in '\{\}'$/],
    ['{"kind":"Pod","apiVersion":"v1"}', /^unable to decode v1, Kind=Pod/],
  ])('rejects %s as response', async (body, error) => {
    const { authorizer } = hooked(() => ({ status: 200, contentType: 'application/json', body }))
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toMatchObject({
      decision: 'noOpinion',
      error: expect.stringMatching(error),
    })
  })
})
