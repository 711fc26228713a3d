import { describe, expect, it } from 'vitest'
import { claimsIn, tokenServer } from './tokens-server'

const HOUR = 3600
const YEAR = 365 * 24 * HOUR
const POD = {
  metadata: { name: 'web' },
  spec: { serviceAccountName: 'builder', containers: [{ name: 'c', image: 'nginx' }] },
}

describe('a TokenRequest', () => {
  it('defaults to one hour and the API audiences', async () => {
    const { request } = await tokenServer()
    const { status, json } = await request()
    expect(status).toBe(201)
    expect(json.spec).toEqual({
      audiences: ['https://kubernetes.default.svc'],
      expirationSeconds: HOUR,
      boundObjectRef: null,
    })
    const { exp, iat, nbf, sub } = claimsIn((json.status as { token: string }).token) as Record<
      string,
      number
    >
    expect({ sub, lifetime: Number(exp) - Number(iat), nbf }).toEqual({
      sub: 'system:serviceaccount:default:builder',
      lifetime: HOUR,
      nbf: iat,
    })
  })

  it.each([
    [599, 'may not specify a duration less than 10 minutes'],
    [2 ** 32 + 1, 'may not specify a duration larger than 2^32 seconds'],
  ])('of %d seconds is rejected', async (expirationSeconds, why) => {
    const { request } = await tokenServer()
    const { status, json } = await request({ expirationSeconds })
    expect(status).toBe(422)
    expect(json.message).toContain(why)
  })

  it('is capped at the maximum lifetime, with a warning', async () => {
    const { request } = await tokenServer({ serviceAccounts: { maxLifetime: 2 * HOUR } })
    const { headers, json } = await request({ expirationSeconds: 3 * HOUR })
    expect(headers.get('warning')).toBe(
      '299 - "requested expiration of 10800 seconds shortened to 7200 seconds"',
    )
    expect((json.spec as { expirationSeconds: number }).expirationSeconds).toBe(2 * HOUR)
  })

  it('of a pod is extended to a year by default', async () => {
    const bound = {
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web' },
      expirationSeconds: 3607,
    }
    const lifetime = (token: string) => {
      const { exp, iat } = claimsIn(token) as { exp: number; iat: number }
      return exp - iat
    }
    const { make, token } = await tokenServer()
    await make('/api/v1/namespaces/default/pods', POD)
    expect(lifetime(await token(bound))).toBe(YEAR)
    expect(lifetime(await token({ ...bound, audiences: ['vault'] }))).toBe(3607)
    expect(lifetime(await token({ expirationSeconds: 3607 }))).toBe(3607)
    const strict = await tokenServer({ serviceAccounts: { extendLifetime: false } })
    await strict.make('/api/v1/namespaces/default/pods', POD)
    expect(lifetime(await strict.token(bound))).toBe(3607)
  })

  it('contains the node of its pod, with the uid if the node exists', async () => {
    const { make, token } = await tokenServer()
    await make('/api/v1/namespaces/default/pods', { ...POD, spec: { ...POD.spec, nodeName: 'n1' } })
    const bound = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web' } }
    const nodeIn = async () =>
      (claimsIn(await token(bound))['kubernetes.io'] as { node: object }).node
    expect(await nodeIn()).toEqual({ name: 'n1' })
    const { metadata } = await make('/api/v1/nodes', { metadata: { name: 'n1' } })
    expect(await nodeIn()).toEqual({ name: 'n1', uid: metadata.uid })
  })

  it('keeps only the metadata that a client may set', async () => {
    const { sendRequest } = await tokenServer()
    const metadata = {
      uid: 'mine',
      creationTimestamp: '2020-01-01T00:00:00Z',
      annotations: { a: 'b' },
    }
    const path = '/api/v1/namespaces/default/serviceaccounts/builder/token'
    const { json } = await sendRequest(path, { method: 'POST', body: { metadata } })
    expect(json.metadata).toMatchObject({
      name: 'builder',
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { a: 'b' },
    })
    expect(json.metadata).not.toHaveProperty('uid')
    const review = { metadata: { ...metadata, namespace: 'default' }, spec: { token: 'x' } }
    const reviewed = await sendRequest('/apis/authentication.k8s.io/v1/tokenreviews', {
      method: 'POST',
      body: review,
    })
    expect(reviewed.json.metadata).toMatchObject({
      creationTimestamp: null,
      annotations: { a: 'b' },
    })
    for (const member of ['uid', 'namespace'])
      expect(reviewed.json.metadata).not.toHaveProperty(member)
  })

  it('is rejected by a server without a signing key', async () => {
    const { request } = await tokenServer({ signatures: undefined })
    expect((await request()).status).toBe(501)
  })
})
