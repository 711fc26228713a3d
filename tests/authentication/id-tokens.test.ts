import { describe, expect, it } from 'vitest'
import type { OidcOptions } from '../../src/engine/authentication/jwt/configuration'
import { publicKey } from '../../src/engine/authentication/service-accounts/keys'
import { SIGNATURE_ALGORITHMS } from '../../src/engine/core/environment'
import type { JsonObject } from '../../src/engine/core/object'
import {
  CLAIMS,
  FLAGS,
  ISSUER,
  newKey,
  type ProviderSettings,
  provider,
  START,
  tokenOf,
} from './jwt-provider'

const byFlags = (flags: Partial<OidcOptions> = {}, settings: ProviderSettings = {}) =>
  provider({ oidc: { ...FLAGS, ...flags } }, settings)

describe('an ID token', () => {
  it('maps claims to username and groups with their prefixes', async () => {
    expect(await byFlags().userWith({})).toEqual({
      name: `${ISSUER}#jane`,
      groups: ['oidc:dev', 'oidc:test'],
    })
    expect(await byFlags().userWith({ groups: 'dev' })).toMatchObject({ groups: ['oidc:dev'] })
    expect(
      await byFlags({ usernameClaim: 'name', usernamePrefix: '-' }).userWith({ name: 'Jane' }),
    ).toMatchObject({ name: 'Jane' })
    expect(await byFlags({ groupsClaim: '' }).userWith({})).toMatchObject({ groups: [] })
  })

  it('is ignored when the issuer is another', async () => {
    expect(await byFlags().userWith({ iss: 'https://elsewhere.example.com' })).toBeUndefined()
    expect(await byFlags().userOf('no token at all')).toBeUndefined()
  })

  it.each([
    [
      'for another client',
      { aud: ['other'] },
      'oidc: verify token: oidc: expected audience "kubetab" got ["other"]',
    ],
    [
      'expired',
      { exp: START / 1000 - 1 },
      'oidc: verify token: oidc: token is expired (Token Expiry: 2025-12-31 23:59:59 +0000 UTC)',
    ],
    [
      'not yet valid',
      { nbf: START / 1000 + 61 },
      /before the nbf \(not before\) time: 2026-01-01 00:01:01/,
    ],
    [
      'with a username that is not a string',
      { sub: 1 },
      'oidc: parse username claims "sub": json: cannot unmarshal number into Go value of type string',
    ],
    ['with groups that are none', { groups: [1] }, /oidc: parse groups claim "groups"/],
  ])('is rejected: %s', async (_, claims, why) => {
    const expected = typeof why === 'string' ? why : expect.stringMatching(why)
    expect(await byFlags().userWith(claims)).toEqual({ errors: [expected] })
  })

  it('requires the username claim, which may be empty', async () => {
    const byNickname = byFlags({ usernameClaim: 'nickname', usernamePrefix: '-' })
    expect(await byNickname.userWith({})).toEqual({
      errors: ['oidc: parse username claims "nickname": claim not present'],
    })
    expect(await byNickname.userWith({ nickname: '' })).toMatchObject({
      name: '',
      groups: ['oidc:dev', 'oidc:test'],
    })
  })

  it('rejects an email with email_verified false', async () => {
    const byMail = byFlags({ usernameClaim: 'email' })
    expect(await byMail.userWith({ email: 'jane@example.com' })).toMatchObject({
      name: 'jane@example.com',
    })
    expect(
      await byMail.userWith({ email: 'jane@example.com', email_verified: true }),
    ).toMatchObject({ name: 'jane@example.com' })
    expect(await byMail.userWith({ email: 'jane@example.com', email_verified: false })).toEqual({
      errors: ['oidc: email not verified'],
    })
    expect(await byMail.userWith({ email: 'jane@example.com', email_verified: 'yes' })).toEqual({
      errors: [
        "oidc: parse 'email_verified' claim: json: cannot unmarshal string into Go value of type bool",
      ],
    })
  })

  it('requires the claims of --oidc-required-claim', async () => {
    const strict = byFlags({ requiredClaims: { hd: 'example.com' } })
    expect(await strict.userWith({ hd: 'example.com' })).toMatchObject({ name: `${ISSUER}#jane` })
    expect(await strict.userWith({})).toEqual({
      errors: ['oidc: required claim hd not present in ID token'],
    })
    expect(await strict.userWith({ hd: 'x' })).toEqual({
      errors: ['oidc: required claim hd value does not match. Got = x, want = example.com'],
    })
  })

  it('requires a signature of the provider with an allowed algorithm', async () => {
    const { userOf, token } = byFlags()
    expect(await userOf(await token({}, newKey()))).toEqual({
      errors: [
        'oidc: verify token: failed to verify signature: failed to verify id token signature',
      ],
    })
    expect(await byFlags({ signingAlgorithms: ['RS256'] }).userWith({})).toEqual({
      errors: [
        'oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["RS256"] got "ES256"',
      ],
    })
    expect(await byFlags({ signingAlgorithms: SIGNATURE_ALGORITHMS }).userWith({})).toHaveProperty(
      'name',
    )
  })

  it.each([[['x']], [['b64', 'x']], [[null]], ['x'], [{}], [true]])(
    'with the critical extensions %j is rejected',
    async (crit) => {
      const { userOf, published } = byFlags()
      const [key] = published.keys
      if (key === undefined) expect.unreachable('there is a key')
      expect(await userOf(await tokenOf(CLAIMS, key, { crit }))).toEqual({
        errors: [
          'oidc: verify token: failed to verify signature: failed to verify id token signature',
        ],
      })
    },
  )

  it('with no critical extensions, or those of RFC 7797, is accepted', async () => {
    const { userOf, published } = byFlags()
    const [key] = published.keys
    if (key === undefined) expect.unreachable('there is a key')
    for (const crit of [[], null, ['b64']])
      expect(await userOf(await tokenOf(CLAIMS, key, { crit }))).toHaveProperty('name')
    expect(await userOf(await tokenOf(CLAIMS, key, { crit: ['b64'], b64: false }))).toHaveProperty(
      'errors',
    )
  })

  it('maps a null among its groups to the bare prefix', async () => {
    expect(await byFlags().userWith({ groups: [null] })).toMatchObject({ groups: ['oidc:'] })
    expect(await byFlags().userWith({ groups: ['dev', null] })).toMatchObject({
      groups: ['oidc:dev', 'oidc:'],
    })
    expect(await byFlags().userWith({ groups: null })).toMatchObject({ groups: [] })
    expect(await byFlags().userWith({ groups: [['dev']] })).toHaveProperty('errors')
  })

  it('with algorithm none, or a shared secret, is rejected', async () => {
    const { userOf, token } = byFlags({ signingAlgorithms: SIGNATURE_ALGORITHMS })
    const [, claims = ''] = (await token({})).split('.')
    for (const alg of ['none', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg })).toString('base64url')
      expect(await userOf(`${header}.${claims}.`)).toEqual({
        errors: [expect.stringContaining('unsupported algorithm')],
      })
    }
  })
})

describe('the JSON Web Key Set of a provider', () => {
  it('is fetched at the first token, and rarely for an unknown key ID', async () => {
    const { clock, published, token, userOf } = byFlags()
    await userOf(await token({}))
    await userOf(await token({}))
    expect(published.fetched).toHaveLength(2)
    published.keys = [newKey()]
    expect(await userOf(await token({}))).toHaveProperty('errors')
    expect(published.fetched).toHaveLength(2)
    clock.advance(10_000)
    expect(await userOf(await token({}))).toHaveProperty('name')
    expect(published.fetched).toHaveLength(4)
  })

  it('is rejected when the discovery document is of another issuer', async () => {
    expect(await byFlags({}, { discovered: 'https://evil.example.com' }).userWith({})).toEqual({
      errors: [expect.stringContaining('issuer did not match the issuer returned by provider')],
    })
  })

  it('rejects all tokens when it cannot be fetched', async () => {
    expect(await byFlags({}, { reachable: false }).userWith({})).toEqual({
      errors: [
        `oidc: authenticator not initialized: Get "${ISSUER}/.well-known/openid-configuration": dial tcp: lookup accounts.example.com: no such host`,
      ],
    })
  })

  it('may be configured where nothing can be fetched', async () => {
    const key = newKey()
    const { userOf } = byFlags(
      {},
      { reachable: false, keySets: { [ISSUER]: JSON.stringify({ keys: [publicKey(key)] }) } },
    )
    expect(await userOf(await tokenOf(CLAIMS, key))).toMatchObject({ name: `${ISSUER}#jane` })
    expect(await userOf(await tokenOf(CLAIMS, newKey()))).toHaveProperty('errors')
  })
})

describe('distributed claims', () => {
  const PLACE = 'https://claims.example.com/groups'
  const { groups: _, ...withoutGroups } = CLAIMS
  const claims = (source: JsonObject = { endpoint: PLACE, access_token: 'pass' }) => ({
    ...withoutGroups,
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: source },
  })

  async function found(
    body: (key: Parameters<typeof tokenOf>[1]) => Promise<string> | string,
    given = claims(),
  ) {
    const responses: Record<string, string> = {}
    const { published, userOf } = byFlags({}, { responses })
    const [key] = published.keys
    if (key === undefined) expect.unreachable('there is a key')
    responses[PLACE] = await body(key)
    return { user: await userOf(await tokenOf(given, key)), fetched: published.fetched }
  }

  it('are fetched with the token of the claim source, and verified', async () => {
    const { user, fetched } = await found((key) =>
      tokenOf({ ...withoutGroups, groups: ['far'] }, key),
    )
    expect(user).toEqual({ name: `${ISSUER}#jane`, groups: ['oidc:far'] })
    expect(fetched).toContain(`${PLACE} Bearer pass`)
  })

  it('are rejected when they are of another issuer or missing', async () => {
    const failure = 'oidc: could not expand distributed claims: '
    const forged = await found(() => tokenOf({ ...withoutGroups, groups: ['far'] }, newKey()))
    expect(forged.user).toEqual({
      errors: [
        expect.stringContaining(
          `${failure}verify distributed claim token: failed to verify signature`,
        ),
      ],
    })
    const empty = await found((key) => tokenOf(withoutGroups, key))
    expect(empty.user).toEqual({
      errors: [
        `${failure}jwt returned by distributed claim endpoint "${PLACE}" did not contain claim: groups`,
      ],
    })
    const broken = await found(() => 'nonsense')
    expect(broken.user).toEqual({ errors: [expect.stringContaining('malformed token')] })
    const elsewhere = await found(() => '', { ...claims(), _claim_names: { groups: 'src2' } })
    expect(elsewhere.user).toEqual({
      errors: [
        `${failure}id token _claim_names contained a source src2 missing in _claims_sources`,
      ],
    })
  })

  it('are ignored where the token has the claim itself, or no endpoint', async () => {
    expect((await found(() => '', { ...claims(), ...{ groups: ['near'] } })).user).toMatchObject({
      groups: ['oidc:near'],
    })
    expect((await found(() => '', claims({ JWT: 'x' }))).user).toMatchObject({ groups: [] })
  })
})

describe('OIDC flags', () => {
  it.each<[string, Partial<OidcOptions>, string]>([
    [
      'no client',
      { clientId: '' },
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    ],
    [
      'no issuer',
      { issuerUrl: '' },
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    ],
    [
      'another scheme',
      { issuerUrl: 'http://a.example.com' },
      'invalid authentication configuration: jwt[0].issuer.url: Invalid value: "http://a.example.com": URL scheme must be https',
    ],
    [
      'an algorithm that is none',
      { signingAlgorithms: ['HS256'] },
      'oidc: unsupported signing alg: "HS256"',
    ],
    ['a file that is not there', { caFile: '/ca' }, 'open /ca: no such file or directory'],
    [
      'the issuer of service account tokens',
      { issuerUrl: 'https://kubernetes.default.svc' },
      'invalid authentication configuration: jwt[0].issuer.url: Invalid value: "https://kubernetes.default.svc": URL must not overlap with disallowed issuers: [https://kubernetes.default.svc]',
    ],
  ])('cannot name %s', (_, flags, message) => {
    expect(() => byFlags(flags)).toThrow(message)
  })
})
