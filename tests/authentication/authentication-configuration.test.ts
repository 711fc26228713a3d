import { describe, expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'
import { configurationFile, ISSUER, type ProviderSettings, provider, START } from './jwt-provider'
import { quickSignatures } from './tokens-server'

const FILE = '/authentication.yaml'
const MINIMAL = {
  issuer: { url: ISSUER, audiences: ['kubetab'] },
  claimMappings: { username: { claim: 'sub', prefix: '' } },
}

const byFile = (authenticator: object, settings: ProviderSettings = {}, more: object = {}) =>
  provider(
    { authenticationConfig: FILE },
    { ...settings, files: { [FILE]: configurationFile(authenticator, more) } },
  )

describe('claimMappings', () => {
  it('build a user from claims and prefixes', async () => {
    const claimMappings = {
      username: { claim: 'sub', prefix: 'ex:' },
      groups: { claim: 'groups', prefix: '' },
      uid: { claim: 'id' },
    }
    expect(await byFile({ ...MINIMAL, claimMappings }).userWith({ id: 'u1' })).toEqual({
      name: 'ex:jane',
      groups: ['dev', 'test'],
      uid: 'u1',
    })
    expect(await byFile({ ...MINIMAL, claimMappings }).userWith({})).toEqual({
      errors: ['oidc: parse uid claim "id": claim not present'],
    })
  })

  it('build a user from CEL expressions', async () => {
    const claimMappings = {
      username: { expression: "claims.sub + '@' + claims.tenant" },
      groups: { expression: "claims.roles.split(',') + (claims.admin ? ['admins'] : [])" },
      uid: { expression: 'string(claims.number)' },
      extra: [
        { key: 'example.com/tenant', valueExpression: 'claims.tenant' },
        { key: 'example.com/none', valueExpression: "''" },
      ],
    }
    const claims = { tenant: 't', roles: 'a,b', admin: true, number: 7 }
    expect(await byFile({ ...MINIMAL, claimMappings }).userWith(claims)).toEqual({
      name: 'jane@t',
      groups: ['a', 'b', 'admins'],
      uid: '7',
      extra: { 'example.com/tenant': ['t'] },
    })
  })

  it.each<[string, object, JsonObject, string]>([
    [
      'a username that is not a string',
      { username: { expression: 'claims.number' } },
      { number: 1 },
      'oidc: error evaluating username claim expression: username claim expression must return a string',
    ],
    [
      'a user from a claim that is not there',
      { username: { expression: 'claims.nick' } },
      {},
      "oidc: error evaluating username claim expression: expression 'claims.nick' resulted in error: no such key: nick",
    ],
    [
      'groups that are not strings',
      { username: { claim: 'sub', prefix: '' }, groups: { expression: '[1]' } },
      {},
      'oidc: error evaluating group claim expression: expression must return a string or a list of strings',
    ],
    [
      'a uid that is not a string',
      { username: { claim: 'sub', prefix: '' }, uid: { expression: '1' } },
      {},
      'oidc: error evaluating uid claim expression: uid claim expression must return a string',
    ],
    [
      'extra values that are not strings',
      { username: { claim: 'sub', prefix: '' }, extra: [{ key: 'a.b/c', valueExpression: '1' }] },
      {},
      'oidc: error evaluating extra claim expression: 1: expression must return a string or a list of strings',
    ],
  ])('reject %s', async (_, claimMappings, claims, message) => {
    expect(await byFile({ ...MINIMAL, claimMappings }).userWith(claims)).toEqual({
      errors: [message],
    })
  })
})

describe('validation rules', () => {
  it('check required claim values and CEL expressions over claims', async () => {
    const claimValidationRules = [
      { claim: 'hd', requiredValue: 'example.com' },
      { expression: 'claims.exp - claims.iat <= 3600', message: 'it lives too long' },
    ]
    const { userWith } = byFile({ ...MINIMAL, claimValidationRules })
    const iat = START / 1000 - 60
    expect(await userWith({ hd: 'example.com', iat })).toMatchObject({ name: 'jane' })
    expect(await userWith({ hd: 'other', iat })).toEqual({
      errors: [expect.stringContaining('value does not match')],
    })
    expect(await userWith({ hd: 'example.com', iat: iat - 4000 })).toEqual({
      errors: [
        "oidc: error evaluating claim validation expression: validation expression 'claims.exp - claims.iat <= 3600' failed: it lives too long",
      ],
    })
  })

  it('check CEL expressions over the user, with every field of it set', async () => {
    const userValidationRules = [
      {
        expression: "!user.username.startsWith('system:')",
        message: 'username cannot use reserved system: prefix',
      },
      {
        expression:
          "user.uid == '' && user.extra.size() == 0 && user.groups.all(group, group != 'system:masters')",
        message: '',
      },
    ]
    const { userWith } = byFile({ ...MINIMAL, userValidationRules })
    expect(await userWith({})).toMatchObject({ name: 'jane' })
    expect(await userWith({ sub: 'system:admin' })).toEqual({
      errors: [
        "oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith('system:')' failed: username cannot use reserved system: prefix",
      ],
    })
  })
})

describe('issuers', () => {
  it('may accept several audiences', async () => {
    const { userWith } = byFile({
      ...MINIMAL,
      issuer: { url: ISSUER, audiences: ['b', 'a'], audienceMatchPolicy: 'MatchAny' },
    })
    expect(await userWith({ aud: ['a', 'z'] })).toMatchObject({ name: 'jane' })
    expect(await userWith({ aud: ['z'] })).toEqual({
      errors: ['oidc: verify token: oidc: expected audience in ["a" "b"] got ["z"]'],
    })
  })

  it('may set discoveryURL', async () => {
    const discoveryURL = 'https://discovery.example.com/document'
    const responses = {
      [discoveryURL]: JSON.stringify({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` }),
    }
    const { userWith, published } = byFile(
      { ...MINIMAL, issuer: { ...MINIMAL.issuer, discoveryURL } },
      { responses },
    )
    expect(await userWith({})).toMatchObject({ name: 'jane' })
    expect(published.fetched).toEqual([discoveryURL, `${ISSUER}/keys`])
  })

  it('may be several: each verifies its own tokens', async () => {
    const other = {
      ...MINIMAL,
      issuer: { url: 'https://other.example.com', audiences: ['kubetab'] },
    }
    const { userWith, published } = provider(
      { authenticationConfig: FILE },
      { files: { [FILE]: configurationFile(other, { jwt: [other, MINIMAL] }) } },
    )
    expect(await userWith({})).toMatchObject({ name: 'jane' })
    expect(published.fetched.every((url) => url.startsWith(ISSUER))).toBe(true)
  })
})

describe('the AuthenticationConfiguration file', () => {
  it('is reloaded; an invalid file changes nothing', async () => {
    const followed = byFile(MINIMAL)
    const later = (text: string) => {
      followed.files[FILE] = text
      followed.clock.advance(60_000)
      return followed.userWith({ exp: followed.clock.now() / 1000 + 60 })
    }
    expect(await followed.userWith({})).toMatchObject({ name: 'jane' })
    const renamed = { ...MINIMAL, claimMappings: { username: { claim: 'sub', prefix: 'new:' } } }
    expect(await later(configurationFile(renamed))).toMatchObject({ name: 'new:jane' })
    expect(await later('nonsense')).toMatchObject({ name: 'new:jane' })
    expect(followed.reported).toEqual([
      expect.stringContaining('the authentication configuration was not reloaded'),
    ])
    expect(await later(configurationFile(MINIMAL, { jwt: [] }))).toBeUndefined()
    expect(followed.metrics()).toContain(
      'apiserver_authentication_config_controller_automatic_reloads_total{apiserver_id_hash="",status="success"} 2',
    )
    expect(followed.metrics()).toContain(
      'apiserver_authentication_config_controller_automatic_reloads_total{apiserver_id_hash="",status="failure"} 1',
    )
  })

  it('counts token verifications in metrics', async () => {
    const { userWith, metrics } = byFile(MINIMAL)
    await userWith({})
    await userWith({ aud: 'x' })
    await userWith({ iss: 'https://elsewhere.example.com' })
    const name = 'apiserver_authentication_jwt_authenticator_latency_seconds_count'
    expect(metrics()).toMatch(
      new RegExp(`${name}{jwt_issuer_hash="sha256:[0-9a-f]{64}",result="success"} 1`),
    )
    expect(metrics()).toMatch(
      new RegExp(`${name}{jwt_issuer_hash="sha256:[0-9a-f]{64}",result="failure"} 1`),
    )
  })
})

describe('anonymous requests', () => {
  const gated = { anonymousConditions: true }

  it('can be configured only with the feature gate', () => {
    expect(() => byFile(MINIMAL, {}, { anonymous: { enabled: true } })).toThrow(
      'invalid authentication configuration: anonymous: Forbidden: anonymous is not supported when AnonymousAuthConfigurableEndpoints feature gate is disabled',
    )
    expect(byFile(MINIMAL, gated, { anonymous: { enabled: true } }).anonymous).toEqual({
      enabled: true,
    })
  })

  it('reject conditions when disabled, and --anonymous-auth next to the file', () => {
    expect(() =>
      byFile(MINIMAL, gated, { anonymous: { conditions: [{ path: '/livez' }] } }),
    ).toThrow(
      'anonymous.conditions: Invalid value: [{"path":"/livez"}]: enabled should be set to true when conditions are defined',
    )
    const files = { [FILE]: configurationFile(MINIMAL, { anonymous: { enabled: true } }) }
    expect(() =>
      provider({ authenticationConfig: FILE, anonymousAuth: true }, { ...gated, files }),
    ).toThrow(
      'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
    )
  })

  it('are allowed only on the configured paths', async () => {
    const text = configurationFile(MINIMAL, {
      anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/healthz' }] },
    })
    const server = createApiServer({
      release: TEST_RELEASE,
      clock: new SimulatedClock(START),
      random: seededRandom(1),
      log: { error: (message) => expect.unreachable(message) },
      storage: createMemoryStorage(),
      signatures: quickSignatures,
      files: { read: () => text },
      authenticationConfig: FILE,
      featureGates: { AnonymousAuthConfigurableEndpoints: true },
    })
    const status = async (path: string) =>
      (await server.fetch(new Request(`http://x${path}`))).status
    expect(await status('/livez')).toBe(200)
    expect(await status('/livez?verbose')).toBe(200)
    expect(await status('/readyz')).toBe(401)
    expect(await status('/livez/ping')).toBe(401)
    await server.close()
  })
})
