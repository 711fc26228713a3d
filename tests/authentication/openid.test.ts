import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { keyId } from '../../src/engine/authentication/service-accounts/keys'
import { jwkOf } from '../../src/hosts/node/keys'
import { nodeSignatures } from '../../src/hosts/node/signatures'
import { tokenServer } from './tokens-server'

const CONFIGURATION = '/.well-known/openid-configuration'
const KEYS = '/openid/v1/jwks'

describe('the OpenID discovery documents', () => {
  it('contain the public half of the signing key', async () => {
    const signingKey = jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)
    const { sendRequest, token } = await tokenServer({ serviceAccounts: { signingKey } })
    const [header = '', claims = '', signature = ''] = (await token()).split('.')
    const { json, headers } = await sendRequest(KEYS, { headers: { accept: '*/*' } })
    const [key] = json.keys as [Record<string, string>]
    expect(headers.get('content-type')).toBe('application/jwk-set+json')
    expect(Object.keys(key)).toEqual(['use', 'kty', 'kid', 'alg', 'n', 'e'])
    expect(key.kid).toBe(JSON.parse(Buffer.from(header, 'base64url').toString()).kid)
    const given = { kty: 'RSA' as const, n: key.n ?? '', e: key.e ?? '' }
    expect(
      await nodeSignatures.verify(
        given,
        Buffer.from(signature, 'base64url'),
        Buffer.from(`${header}.${claims}`),
      ),
    ).toBe(true)
  })

  it('contain issuer, JWKS URI and signing algorithms', async () => {
    const signingKey = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
    const { sendRequest } = await tokenServer({
      serverAddress: 'cluster:6443',
      serviceAccounts: { signingKey },
    })
    expect((await sendRequest(CONFIGURATION)).json).toEqual({
      issuer: 'https://kubernetes.default.svc',
      jwks_uri: 'https://cluster:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    })
  })

  it('have one form each, and are read-only', async () => {
    const { sendRequest } = await tokenServer()
    expect((await sendRequest(KEYS, { headers: { accept: 'application/json' } })).status).toBe(406)
    expect((await sendRequest(CONFIGURATION, { headers: { accept: 'text/html' } })).status).toBe(
      406,
    )
    expect((await sendRequest(CONFIGURATION, { method: 'POST' })).status).toBe(405)
  })

  it('return 404 when the issuer is not a reachable URL', async () => {
    const { sendRequest } = await tokenServer({ serviceAccounts: { issuers: ['kubernetes'] } })
    expect((await sendRequest(CONFIGURATION)).status).toBe(404)
    expect((await sendRequest('/')).json.paths).not.toContain(KEYS)
  })
})

describe('the key ID', () => {
  it.each([
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  ])('is the hash of the public key (%s)', (_, { privateKey }) => {
    const info = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
    expect(keyId(jwkOf(privateKey))).toBe(createHash('sha256').update(info).digest('base64url'))
  })
})
