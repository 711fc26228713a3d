import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { jwkOf } from '../../src/hosts/node/keys'
import { nodeSignatures } from '../../src/hosts/node/signatures'
import { plainSignatures } from '../../src/hosts/page/plain-signatures'
import { webSignatures } from '../../src/hosts/shared/web-signatures'
import { claimsIn, quickSignatures, type TokenServer, tokenServer } from './tokens-server'

const MINUTE = 60_000
const AUDIENCE = 'https://kubernetes.default.svc'

describe('a service account token', () => {
  it('identifies the account and its groups, with a credential ID', async () => {
    const { token, whoIs } = await tokenServer()
    const mine = await token()
    expect((await whoIs(mine)).user).toMatchObject({
      username: 'system:serviceaccount:default:builder',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${claimsIn(mine).jti}`] },
    })
  })

  it('expires one minute after its exp claim', async () => {
    const { token, whoIs, review, clock } = await tokenServer()
    const mine = await token({ expirationSeconds: 600 })
    clock.advance(11 * MINUTE)
    expect((await whoIs(mine)).status).toBe(201)
    clock.advance(1000)
    expect((await whoIs(mine)).status).toBe(401)
    expect((await review(mine)).error).toBe(
      '[invalid bearer token, service account token has expired]',
    )
  })

  it('is invalid after its account is deleted, or recreated under the same name', async () => {
    const { sendRequest, make, token, whoIs, review } = await tokenServer()
    const mine = await token()
    expect((await whoIs(mine)).status).toBe(201)
    await sendRequest('/api/v1/namespaces/default/serviceaccounts/builder', { method: 'DELETE' })
    expect((await review(mine)).error).toBe(
      '[invalid bearer token, serviceaccounts "builder" not found]',
    )
    await make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'builder' } })
    expect((await review(mine)).error).toMatch(/service account UID \(.*\) does not match claim/)
  })

  it.each([
    ['Secret', '/api/v1/namespaces/default/secrets'],
    ['Node', '/api/v1/nodes'],
  ])('bound to a %s is invalid after its deletion', async (kind, path) => {
    const { sendRequest, make, token, whoIs, review } = await tokenServer()
    await make(path, { metadata: { name: 'x' } })
    const mine = await token({ boundObjectRef: { kind, apiVersion: 'v1', name: 'x' } })
    expect((await whoIs(mine)).status).toBe(201)
    await sendRequest(`${path}/x`, { method: 'DELETE' })
    expect((await whoIs(mine)).status).toBe(401)
    expect((await review(mine)).error).toBe(
      '[invalid bearer token, service account token has been invalidated]',
    )
  })

  it('bound to a node adds the node to the user', async () => {
    const { make, token, whoIs } = await tokenServer()
    const { metadata } = await make('/api/v1/nodes', { metadata: { name: 'n1' } })
    const { user } = await whoIs(
      await token({ boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'n1' } }),
    )
    expect(user.extra).toMatchObject({
      'authentication.kubernetes.io/node-name': ['n1'],
      'authentication.kubernetes.io/node-uid': [metadata.uid],
    })
  })

  it('for another audience does not authenticate, but can be reviewed for it', async () => {
    const { token, whoIs, review } = await tokenServer()
    const mine = await token({ audiences: ['vault'] })
    expect((await whoIs(mine)).status).toBe(401)
    expect(await review(mine, ['other', 'vault'])).toMatchObject({
      authenticated: true,
      audiences: ['vault'],
    })
    expect((await review(mine)).error).toBe(
      `[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["${AUDIENCE}"]]`,
    )
  })

  it('of another issuer is unknown to this server', async () => {
    const { token } = await tokenServer({
      serviceAccounts: { issuers: ['https://elsewhere.example.com'] },
    })
    const { review } = await tokenServer()
    expect((await review(await token())).error).toBe('invalid bearer token')
  })

  it('of an earlier issuer is valid while --service-account-issuer lists it', async () => {
    const key = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
    const before = await tokenServer({
      serviceAccounts: { signingKey: key, issuers: ['https://old'] },
    })
    const token = await before.token()
    const after = await tokenServer({
      serviceAccounts: { signingKey: key, issuers: ['https://new', 'https://old'] },
    })
    // The seeded servers give their accounts the same uid.
    expect(await after.review(token, ['https://old'])).toMatchObject({ authenticated: true })
  })

  it('is rejected with the signature of another key', async () => {
    const [{ token }, { review }] = await Promise.all([tokenServer(), tokenServer()])
    expect((await review(await token())).error).toBe(
      '[invalid bearer token, invalid signature, no keys found]',
    )
  })

  it.each([nodeSignatures, webSignatures])(
    'is signed with the RSA keys that hosts generate',
    { timeout: 30_000 },
    async (signatures) => {
      const { token, whoIs } = await tokenServer({ signatures })
      const mine = await token()
      expect(
        JSON.parse(Buffer.from(mine.split('.')[0] ?? '', 'base64url').toString()),
      ).toMatchObject({ alg: 'RS256' })
      expect((await whoIs(mine)).status).toBe(201)
    },
  )

  it.each(['P-256', 'P-384', 'P-521'])(
    'can be signed with a key on %s, by either host',
    async (namedCurve) => {
      const signingKey = jwkOf(generateKeyPairSync('ec', { namedCurve }).privateKey)
      for (const signatures of [nodeSignatures, webSignatures]) {
        const { token, whoIs } = await tokenServer({ signatures, serviceAccounts: { signingKey } })
        expect((await whoIs(await token())).status).toBe(201)
      }
    },
  )
})

describe('a page over plain HTTP', () => {
  it('signs and verifies tokens like a page over HTTPS', async () => {
    const { token, whoIs } = await tokenServer({ signatures: plainSignatures })
    expect((await whoIs(await token())).status).toBe(201)
    const message = new TextEncoder().encode('message')
    for (const [mine, theirs] of [
      [plainSignatures, nodeSignatures],
      [nodeSignatures, plainSignatures],
    ] as const) {
      const key = await plainSignatures.generateKey()
      expect(await theirs.verify(key, await mine.sign(key, message), message)).toBe(true)
      expect(
        await theirs.verify(
          key,
          await mine.sign(key, message),
          new TextEncoder().encode('massage'),
        ),
      ).toBe(false)
    }
  })
})

describe('the signing key', () => {
  it('is generated for the first token, once, and stored', async () => {
    let made = 0
    const signatures = {
      ...quickSignatures,
      generateKey() {
        made++
        return quickSignatures.generateKey()
      },
    }
    const { token, whoIs, sendRequest } = await tokenServer({ signatures })
    await sendRequest('/api/v1/namespaces')
    expect(made).toBe(0)
    const tokens = await Promise.all([token(), token(), token()])
    expect(made).toBe(1)
    expect(await Promise.all(tokens.map(async (mine) => (await whoIs(mine)).status))).toEqual([
      201, 201, 201,
    ])
  })
})

describe('a modified token', () => {
  let server: TokenServer
  let token: string
  beforeAll(async () => {
    server = await tokenServer()
    token = await server.token()
  })

  it('is rejected, whichever character differs', async () => {
    const different = fc
      .tuple(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.x='))
      .map(([at, sign]) => token.slice(0, at) + sign + token.slice(at + 1))
      // Two bits of the last character belong to no byte.
      .filter((text) => text.slice(0, -1) !== token.slice(0, -1))
    await fc.assert(
      fc.asyncProperty(different, async (altered) => (await server.whoIs(altered)).status === 401),
      { numRuns: 200 },
    )
  })

  it.each(['none', 'HS256', 'RS256', 'ES384'])('is rejected with the algorithm %s', async (alg) => {
    const [, claims = '', signature = ''] = token.split('.')
    const header = Buffer.from(JSON.stringify({ alg })).toString('base64url')
    expect((await server.review(`${header}.${claims}.${signature}`)).error).toBe(
      '[invalid bearer token, square/go-jose: error in cryptographic primitive]',
    )
  })
})

describe('Secret-based tokens', () => {
  const legacy = (claims: object) => {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const parts = [{ alg: 'ES256' }, { iss: 'kubernetes/serviceaccount', ...claims }]
    const signed = parts
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return {
      key: jwkOf(key),
      sign: async (k = jwkOf(key)) =>
        `${signed}.${Buffer.from(await nodeSignatures.sign(k, Buffer.from(signed))).toString('base64url')}`,
    }
  }
  const CLAIM = 'kubernetes.io/serviceaccount/'
  const claims = (uid: string) => ({
    sub: 'system:serviceaccount:default:builder',
    [`${CLAIM}namespace`]: 'default',
    [`${CLAIM}secret.name`]: 'builder-token',
    [`${CLAIM}service-account.name`]: 'builder',
    [`${CLAIM}service-account.uid`]: uid,
  })

  it('are valid while their Secret holds them, or without that lookup if disabled', async () => {
    const { key, sign } = legacy(claims('some-uid'))
    const strict = await tokenServer({ serviceAccounts: { signingKey: key } })
    expect((await strict.review(await sign())).error).toBe(
      '[invalid bearer token, Token has been invalidated]',
    )
    const lax = await tokenServer({ serviceAccounts: { signingKey: key, lookup: false } })
    expect(await lax.review(await sign())).toMatchObject({
      authenticated: true,
      user: { uid: 'some-uid' },
    })
  })

  it('require the account of their Secret', async () => {
    const { key, sign } = legacy({ sub: 'system:serviceaccount:default:builder' })
    const { review } = await tokenServer({ serviceAccounts: { signingKey: key } })
    expect((await review(await sign())).error).toBe(
      '[invalid bearer token, namespace claim is missing]',
    )
  })
})
