import { describe, expect, it } from 'vitest'
import { ConditionCompiler } from '../../src/engine/authorization/webhook/match-conditions'
import type { OutboundRequest } from '../../src/engine/core/outbound'
import { built, KUBECONFIG, review } from './building'
import { attributesOf, pathAttributes } from './roles'

const HEAD = 'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthorizationConfiguration\n'

function webhook(more: Record<string, unknown> = {}, name = 'hook.example.com') {
  const settings = {
    timeout: '3s',
    subjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/hook' },
    ...more,
  }
  return { type: 'Webhook', name, webhook: settings }
}

const conditions = (...expressions: string[]) => ({
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: expressions.map((expression) => ({ expression })),
})

function configured(
  authorizers: unknown[],
  hook: (request: OutboundRequest) => ReturnType<typeof review> = () => review({ allowed: true }),
) {
  const files: Record<string, string> = {
    '/config': `${HEAD}authorizers: ${JSON.stringify(authorizers)}`,
    '/hook': KUBECONFIG,
  }
  return { files, ...built({ configFile: '/config' }, { files, webhook: hook }) }
}

const ALLOWED = { decision: 'allow' }
const NO_OPINION = { decision: 'noOpinion' }

describe('the AuthorizationConfiguration file', () => {
  it('replaces --authorization-mode and the webhook flags, and rejects both together', () => {
    for (const flag of [
      { modes: ['RBAC'] },
      { webhookVersion: 'v1' },
      { webhookAuthorizedTTL: 1 },
      { webhookConfigFile: '/hook' },
    ])
      expect(() => built({ configFile: '/config', ...flag }, { files: { '/config': '' } })).toThrow(
        '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
      )
  })

  it('keeps the order of its authorizers, including several webhooks', async () => {
    const requested: string[] = []
    const { authorizer } = configured(
      [
        webhook({}, 'first'),
        webhook({ timeout: '4s' }, 'second'),
        { type: 'AlwaysAllow', name: 'alwaysallow' },
      ],
      ({ url }) => {
        requested.push(url)
        return review({})
      },
    )
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toMatchObject(ALLOWED)
    expect(requested).toEqual([
      'http://hook/authorize?timeout=3s',
      'http://hook/authorize?timeout=4s',
    ])
  })

  it('caches decisions for 5m and 30s by default', async () => {
    let calls = 0
    const count = () => review({ allowed: true, reason: `call ${++calls}` })
    const byDefault = configured([webhook()], count)
    const question = attributesOf('jane', 'get', 'pods')
    await byDefault.authorizer.authorize(question)
    byDefault.clock.advance(299_999)
    expect(await byDefault.authorizer.authorize(question)).toMatchObject({ reason: 'call 1' })
    const observed = configured([webhook({ authorizedTTL: '2s' })], count)
    await observed.authorizer.authorize(question)
    observed.clock.advance(2000)
    expect(await observed.authorizer.authorize(question)).toMatchObject({ reason: 'call 3' })
  })

  it('denies with failurePolicy Deny, and continues with NoOpinion', async () => {
    const garbage = () => ({ status: 200, contentType: '', body: '{}' })
    const behind = { type: 'AlwaysAllow', name: 'alwaysallow' }
    const question = attributesOf('jane', 'get', 'pods')
    expect(
      await configured([webhook({ failurePolicy: 'Deny' }), behind], garbage).authorizer.authorize(
        question,
      ),
    ).toMatchObject({
      decision: 'deny',
      error: "Object 'Kind' is missing in '{}'",
    })
    expect(
      await configured([webhook(), behind], garbage).authorizer.authorize(question),
    ).toMatchObject(ALLOWED)
  })

  it('calls a webhook only when all matchConditions are true', async () => {
    const { authorizer, metrics } = configured([
      webhook(
        conditions(
          'has(request.resourceAttributes)',
          "request.resourceAttributes.namespace == 'a'",
          "'dev' in request.groups",
        ),
      ),
    ])
    const jane = { name: 'jane', groups: ['dev'] }
    expect(await authorizer.authorize(attributesOf(jane, 'get', 'pods', 'a'))).toMatchObject(
      ALLOWED,
    )
    expect(await authorizer.authorize(attributesOf(jane, 'get', 'pods', 'b'))).toMatchObject(
      NO_OPINION,
    )
    expect(await authorizer.authorize(attributesOf('joe', 'get', 'pods', 'a'))).toMatchObject(
      NO_OPINION,
    )
    expect(await authorizer.authorize(pathAttributes('jane', 'get', '/x'))).toMatchObject(
      NO_OPINION,
    )
    expect(metrics()).toContain(
      'apiserver_authorization_match_condition_exclusions_total{name="hook.example.com",type="Webhook"} 3',
    )
  })

  it('applies failurePolicy when a matchCondition fails and none is false', async () => {
    const failing = conditions(
      "request.extra['k'][0] == 'v'",
      "request.resourceAttributes.verb == 'get'",
    )
    const error =
      "cel evaluation error: expression 'request.extra['k'][0] == 'v'' resulted in error: no such key: k"
    const strict = configured([webhook({ ...failing, failurePolicy: 'Deny' })]).authorizer
    expect(await strict.authorize(attributesOf('jane', 'get', 'pods'))).toMatchObject({
      decision: 'deny',
      reason: '',
      error,
    })
    expect(await strict.authorize(attributesOf('jane', 'list', 'pods'))).toEqual({
      decision: 'noOpinion',
      reason: '',
    })
    const lenient = configured([webhook(failing)]).authorizer
    expect(await lenient.authorize(attributesOf('jane', 'get', 'pods'))).toEqual({
      decision: 'noOpinion',
      reason: '',
      error,
    })
  })

  it('offers conditions the functions of the release before', () => {
    const problemAt = (release: string) =>
      new ConditionCompiler(true, release).problem("isSemver('1.0.0')")
    expect(problemAt('1.33')).toContain("undeclared reference to 'isSemver'")
    expect(problemAt('1.34')).toBeUndefined()
  })

  it('accepts 64 matchConditions and rejects 65', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => `request.user == 'u${i}'`)
    expect(() => configured([webhook(conditions(...many(64)))])).not.toThrow()
    expect(() => configured([webhook(conditions(...many(65)))])).toThrow(
      'authorizers[0].matchConditions: Too many: 65: must have at most 64 items',
    )
  })

  it('rejects a webhook timeout above 30 seconds', () => {
    expect(() => configured([webhook({ timeout: '30s' })])).not.toThrow()
    expect(() => configured([webhook({ timeout: '30.001s' })])).toThrow(
      'authorizers[0].timeout: Invalid value: "30.001s": must be > 0s and <= 30s',
    )
  })

  it('is reloaded every 60 seconds; an invalid file changes nothing', async () => {
    const { authorizer, files, clock, metrics, reported, stop } = configured([
      { type: 'AlwaysDeny', name: 'alwaysdeny' },
    ])
    const question = attributesOf('jane', 'get', 'pods')
    expect(await authorizer.authorize(question)).toMatchObject(NO_OPINION)
    files['/config'] = `${HEAD}authorizers: [{type: AlwaysAllow, name: alwaysallow}]`
    clock.advance(59_999)
    expect(await authorizer.authorize(question)).toMatchObject(NO_OPINION)
    clock.advance(1)
    expect(await authorizer.authorize(question)).toMatchObject(ALLOWED)
    files['/config'] = `${HEAD}authorizers: []`
    clock.advance(60_000)
    expect(await authorizer.authorize(question)).toMatchObject(ALLOWED)
    expect(reported).toEqual([
      'the authorization configuration was not reloaded: authorizers: Required value: at least one authorization mode must be defined',
    ])
    clock.advance(60_000)
    expect(metrics()).toContain(
      'apiserver_authorization_config_controller_automatic_reloads_total{apiserver_id_hash="",status="failure"} 1',
    )
    expect(metrics()).toContain(
      'apiserver_authorization_config_controller_automatic_reloads_total{apiserver_id_hash="",status="success"} 1',
    )
    stop()
    expect(clock.nextDue()).toBeUndefined()
  })

  it('rejects InClusterConfig outside a cluster', () => {
    expect(() => configured([webhook({ connectionInfo: { type: 'InClusterConfig' } })])).toThrow(
      'invalid authorization config: unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    )
  })

  it('requires apiVersion and kind', () => {
    const load = (text: string) => built({ configFile: '/config' }, { files: { '/config': text } })
    expect(() => load('kind: AuthorizationConfiguration')).toThrow(
      "Object 'apiVersion' is missing in 'kind: AuthorizationConfiguration'",
    )
    expect(() => load('authorizers: []')).toThrow("Object 'Kind' is missing in 'authorizers: []'")
  })

  it.each([
    [
      'authorizers: [{type: RBAC, name: rbac, extra: 1}]',
      'strict decoding error: unknown field "authorizers[0].extra"',
    ],
    [
      'authorizers: {}',
      'json: cannot unmarshal object into Go struct field AuthorizationConfiguration.authorizers of type []v1beta1.AuthorizerConfiguration',
    ],
    [
      'authorizers: [{type: Webhook, name: w, webhook: {timeout: soon}}]',
      'time: invalid duration "soon"',
    ],
  ])('rejects a value of the wrong type: %s', (text, problem) => {
    expect(() => built({ configFile: '/config' }, { files: { '/config': HEAD + text } })).toThrow(
      `failed to load AuthorizationConfiguration from file: ${problem}`,
    )
  })
})
