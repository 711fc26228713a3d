import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type IdentityProvider, providerUsers } from '../../src/engine/authentication/identity-provider'
import { signedJwt } from '../../src/engine/authentication/service-accounts/jwt'
import { keyId, publicKey } from '../../src/engine/authentication/service-accounts/keys'
import { algorithmOf, type Jwk, SimulatedClock } from '../../src/engine/environment'
import type { JsonObject } from '../../src/engine/object'
import { OutboundError } from '../../src/engine/outbound'
import { jwkOf } from '../../src/hosts/node/keys'
import { nodeSignatures } from '../../src/hosts/node/signatures'

const ISSUER = 'https://accounts.example.com'
const START = Date.UTC(2026, 0, 1)
const newKey = (): Jwk => jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

const PROVIDER: IdentityProvider = {
  issuer: ISSUER,
  clientId: 'kubetab',
  algorithms: ['ES256'],
  username: { claim: 'sub', prefix: `${ISSUER}#` },
  groups: { claim: 'groups', prefix: 'oidc:' },
  required: {},
}
const CLAIMS = { iss: ISSUER, aud: 'kubetab', exp: START / 1000 + 60, sub: 'jane', groups: ['dev', 'test'] }

/** A provider whose published keys can be exchanged, and what the server makes of its tokens. */
function provider(settings: Partial<IdentityProvider> = {}, { discovered = ISSUER, reachable = true } = {}) {
  const clock = new SimulatedClock(START)
  const published = { keys: [newKey()], fetched: 0 }
  const outbound = {
    post: () => Promise.reject(new OutboundError('nobody posts')),
    async get({ url }: { url: string }) {
      if (!reachable) throw new OutboundError('dial tcp: lookup accounts.example.com: no such host')
      published.fetched++
      const documents: Record<string, object> = {
        [`${ISSUER}/.well-known/openid-configuration`]: { issuer: discovered, jwks_uri: `${ISSUER}/keys` },
        [`${ISSUER}/keys`]: { keys: published.keys.map(publicKey) },
      }
      return { status: url in documents ? 200 : 404, contentType: 'application/json', body: JSON.stringify(documents[url]) }
    },
  }
  const userOf = providerUsers({ ...PROVIDER, ...settings }, { clock, signatures: nodeSignatures, outbound })
  const token = (claims: JsonObject, key = published.keys[0] as Jwk) =>
    signedJwt({ alg: algorithmOf(key), kid: keyId(key) }, { ...CLAIMS, ...claims }, (message) => nodeSignatures.sign(key, message))
  return { clock, published, token, userOf, userWith: async (claims: JsonObject) => userOf(await token(claims)) }
}

describe('an ID token', () => {
  it('is of the user and the groups that its claims name, each behind its prefix', async () => {
    expect(await provider().userWith({})).toEqual({ name: `${ISSUER}#jane`, groups: ['oidc:dev', 'oidc:test'] })
    expect(await provider().userWith({ groups: 'dev' })).toMatchObject({ groups: ['oidc:dev'] })
    expect(await provider({ username: { claim: 'name', prefix: '' } }).userWith({ name: 'Jane' })).toMatchObject({ name: 'Jane' })
  })

  it('of another issuer is none of this provider', async () => {
    expect(await provider().userWith({ iss: 'https://elsewhere.example.com' })).toBeUndefined()
    expect(await provider().userOf('no token at all')).toBeUndefined()
  })

  it.each([
    ['for another client', { aud: ['other'] }, 'oidc: verify token: oidc: expected audience "kubetab" got ["other"]'],
    ['expired', { exp: START / 1000 - 1 }, 'oidc: verify token: oidc: token is expired (Token Expiry: 2025-12-31 23:59:59 +0000 UTC)'],
    ['not yet valid', { nbf: START / 1000 + 301 }, /before the nbf \(not before\) time: 2026-01-01 00:05:01/],
    ['without a user', { sub: '' }, 'oidc: parse username claims "sub": claim not present'],
    ['with groups that are none', { groups: [1] }, /oidc: parse groups claim "groups"/],
  ])('%s is refused', async (_, claims, why) => {
    const expected = typeof why === 'string' ? why : expect.stringMatching(why)
    expect(await provider().userWith(claims)).toEqual({ refused: [expected] })
  })

  it('by address of mail must be verified, if it says so', async () => {
    const byMail = provider({ username: { claim: 'email', prefix: '' } })
    expect(await byMail.userWith({ email: 'jane@example.com' })).toMatchObject({ name: 'jane@example.com' })
    expect(await byMail.userWith({ email: 'jane@example.com', email_verified: false })).toEqual({ refused: ['oidc: email not verified'] })
  })

  it('must have the claims that are required', async () => {
    const strict = provider({ required: { hd: 'example.com' } })
    expect(await strict.userWith({ hd: 'example.com' })).toMatchObject({ name: `${ISSUER}#jane` })
    expect(await strict.userWith({})).toEqual({ refused: ['oidc: required claim hd not present in ID token'] })
    expect(await strict.userWith({ hd: 'x' })).toEqual({
      refused: ['oidc: required claim hd value does not match. Got = x, want = example.com'],
    })
  })

  it('must be signed by the provider, in a way that is allowed', async () => {
    const { userOf, token } = provider()
    expect(await userOf(await token({}, newKey()))).toEqual({
      refused: ['oidc: verify token: failed to verify signature: failed to verify id token signature'],
    })
    expect(await provider({ algorithms: ['RS256'] }).userWith({})).toEqual({
      refused: ['oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["RS256"] got "ES256"'],
    })
  })
})

describe('the keys of a provider', () => {
  it('are fetched when the first token comes, and again when one comes with another key, though not all the time', async () => {
    const { clock, published, token, userOf } = provider()
    await userOf(await token({}))
    await userOf(await token({}))
    expect(published.fetched).toBe(2)
    published.keys = [newKey()]
    expect(await userOf(await token({}))).toHaveProperty('refused')
    expect(published.fetched).toBe(2)
    clock.advance(10_000)
    expect(await userOf(await token({}))).toHaveProperty('name')
    expect(published.fetched).toBe(4)
  })

  it('are not believed if somebody else publishes them', async () => {
    expect(await provider({}, { discovered: 'https://evil.example.com' }).userWith({})).toEqual({
      refused: [expect.stringContaining('issuer did not match the issuer returned by provider')],
    })
  })

  it('that cannot be had let nobody in', async () => {
    expect(await provider({}, { reachable: false }).userWith({})).toEqual({
      refused: [
        `oidc: authenticator not initialized: Get "${ISSUER}/.well-known/openid-configuration": dial tcp: lookup accounts.example.com: no such host`,
      ],
    })
  })
})
