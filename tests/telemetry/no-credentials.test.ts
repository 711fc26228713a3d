/**
 * Traces, audit events, metrics, reports and errors contain no credentials, for any method of
 * authentication and any failure.
 */
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newCertificateRequest } from '../../src/engine/authentication/certificates/request'
import { publicKey } from '../../src/engine/authentication/service-accounts/keys'
import { FileError, SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { OutboundError } from '../../src/engine/core/outbound'
import { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { clientCertificate, selfSignedCertificate } from '../../src/hosts/node/certificate'
import { jwkOf } from '../../src/hosts/node/keys'
import { RecentRequests } from '../../src/hosts/shared/recent-requests'
import { CLAIMS, configurationFile, ISSUER, tokenOf } from '../authentication/jwt-provider'
import { quickSignatures } from '../authentication/tokens-server'
import { TEST_RELEASE } from '../support/release'

/** Collects what others can read, and the secret texts. */
async function everythingSeen() {
  const clock = new SimulatedClock()
  const seen: unknown[] = []
  const secrets: string[] = []
  const secret = (text: string) => {
    secrets.push(text)
    return text
  }
  const providerKey = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  const authority = { commonName: 'ca', ...selfSignedCertificate('ca', clock.now()) }
  const holder = clientCertificate({ commonName: 'jane' }, authority, clock.now())
  const hook = { user: 'hook-user', password: secret('hook-password'), token: secret('hook-token') }
  const files: Record<string, string> = {
    '/authentication': configurationFile({
      issuer: { url: ISSUER, audiences: ['kubetab'] },
      claimMappings: { username: { claim: 'sub', prefix: '' } },
    }),
    '/hook': JSON.stringify({
      clusters: [
        {
          name: 'c',
          cluster: { server: `https://${hook.user}:${hook.password}@hook.example.com/` },
        },
      ],
      users: [{ name: 'u', user: { token: hook.token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  }
  const server = createApiServer({
    release: TEST_RELEASE,
    clock,
    random: seededRandom(1),
    log: { error: (message, cause) => seen.push([message, String(cause)]) },
    storage: createMemoryStorage(),
    signatures: quickSignatures,
    tokens: `${secret('root-secret')},root,,"system:masters"\n${secret('joe-secret')},joe,,\n`,
    files: {
      read(path) {
        const text = files[path]
        if (text === undefined) throw new FileError(path, 'no such file or directory')
        return text
      },
    },
    authenticationConfig: '/authentication',
    keySets: { [ISSUER]: JSON.stringify({ keys: [publicKey(providerKey)] }) },
    ownAuthority: 'in-header',
    tokenWebhook: { configFile: '/hook', version: 'v1', cacheTTL: 0 },
    authorization: { modes: ['RBAC', 'Webhook'], webhookConfigFile: '/hook' },
    outbound: { post: () => Promise.reject(new OutboundError('connection refused')) },
    controllers: ['*'],
  })
  // The page shows traces, and audit events of its first policy.
  const recent = new RecentRequests()
  recent.follow(server)
  seen.push(recent.traces, recent.events)
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ) => {
    const given = { 'content-type': 'application/json', ...headers }
    const request = new Request('http://x/', {
      method,
      headers: given,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const response = await server.fetchTarget(request, path)
    const text = await response.text()
    if (response.status >= 400) seen.push(text, [...response.headers])
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : {} }
  }
  return { server, send, seen, secrets, secret, providerKey, holder }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('no credential is exposed', () => {
  it('of an authenticated, rejected or token-creating request', async () => {
    const { server, send, seen, secrets, secret, providerKey, holder } = await everythingSeen()
    const root = bearer('root-secret')
    const account = '/api/v1/namespaces/default/serviceaccounts'
    await send('POST', account, root, { metadata: { name: 'bot' } })

    const issued = await send('POST', `${account}/bot/token`, root, { spec: {} })
    const serviceAccountToken = secret(issued.json.status.token)
    const idToken = secret(await tokenOf({ ...CLAIMS, exp: CLAIMS.exp + 10_000 }, providerKey))
    const expired = secret(await tokenOf({ ...CLAIMS, exp: 1 }, providerKey))
    const bootstrapSecret = secret('0123456789abcdef')
    const data = {
      'token-id': base64('abc123'),
      'token-secret': base64(bootstrapSecret),
      'usage-bootstrap-authentication': base64('true'),
    }
    secrets.push(base64(bootstrapSecret))
    const made = await send('POST', '/api/v1/namespaces/kube-system/secrets', root, {
      metadata: { name: 'bootstrap-token-abc123' },
      type: 'bootstrap.kubernetes.io/token',
      data,
    })
    expect(made.status).toBe(201)
    const password = base64(secret('opaque-password'))
    secrets.push(password)
    await send('POST', '/api/v1/namespaces/default/secrets', root, {
      metadata: { name: 's' },
      data: { password },
    })

    const tokens = [
      'root-secret',
      'joe-secret',
      serviceAccountToken,
      idToken,
      expired,
      `abc123.${bootstrapSecret}`,
      secret('unknown-to-the-server'),
    ]
    const statuses: number[] = []
    for (const token of tokens) {
      statuses.push((await send('GET', '/api/v1/namespaces/default/pods', bearer(token))).status)
      await send('GET', `/api/v1/pods?access_token=${token}&limit=1`, {})
      await send('GET', `/api/v1/namespaces/default/secrets/s?access_token=${token}`, bearer(token))
      await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', root, { spec: { token } })
      await send('GET', '/api/v1/pods', { ...bearer(token), 'impersonate-user': 'someone' })
    }
    expect(statuses).toEqual([200, 500, 500, 500, 401, 500, 401])

    const { request, key } = await newCertificateRequest(
      { commonName: 'jane', organizations: [] },
      quickSignatures,
    )
    secrets.push(key.d ?? 'there is one')
    const spec = {
      request: base64(request),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    }
    await send('POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests', root, {
      metadata: { name: 'c' },
      spec,
    })
    secrets.push(holder.key.split('\n')[1] ?? 'there is one')
    expect(
      (
        await send('GET', '/api', {
          'x-kubetab-client-certificate': encodeURIComponent(holder.cert),
        })
      ).status,
    ).toBe(401)

    seen.push((await send('GET', '/metrics', root)).text)
    for (const stored of (await server.storage.range('/kubetab/')).items) {
      const { key: kept } = stored.object as unknown as { key?: { d?: string } }
      if (kept?.d) secrets.push(kept.d)
    }
    const shown = JSON.stringify(seen)
    expect(shown).toContain('/api/v1/namespaces/default/pods')
    expect(shown).toContain('connection refused')
    for (const one of secrets)
      expect(
        shown.includes(one),
        `${one} is seen: ${shown.slice(Math.max(0, shown.indexOf(one) - 200), shown.indexOf(one) + 60)}`,
      ).toBe(false)
    await server.close()
  })

  it('in exported objects, although server keys are stored next to them', async () => {
    const { server, send } = await everythingSeen()
    const account = '/api/v1/namespaces/default/serviceaccounts'
    await send('POST', account, bearer('root-secret'), { metadata: { name: 'bot' } })
    await send('POST', `${account}/bot/token`, bearer('root-secret'), { spec: {} })
    const [neighbor, exported] = await Promise.all([
      server.storage.range('/kubetab/'),
      server.storage.range('/registry/'),
    ])
    expect(neighbor.items.length).toBeGreaterThan(0)
    expect(JSON.stringify(exported.items.map(({ object }) => object))).not.toContain('"d":')
    await server.close()
  })
})
