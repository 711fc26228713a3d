import { describe, expect, it } from 'vitest'
import { bootstrapUser } from '../../src/engine/authentication/bootstrap-tokens'
import { SimulatedClock } from '../../src/engine/core/environment'
import { createMemoryStorage } from '../../src/engine/storage/memory'

const TOKEN = 'abc123.0123456789abcdef'
const VALID = {
  'token-id': 'abc123',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
}

async function userOf(
  data: Record<string, string>,
  { type = 'bootstrap.kubernetes.io/token', token = TOKEN } = {},
) {
  const storage = createMemoryStorage()
  const key = '/registry/secrets/kube-system/bootstrap-token-abc123'
  const encoded = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  )
  const object = {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 'bootstrap-token-abc123', resourceVersion: '0' },
    data: encoded,
    type,
  }
  await storage.transaction([], [{ type: 'put', key, object }])
  return bootstrapUser(token, { storage, clock: new SimulatedClock(Date.UTC(2026, 0, 1)) })
}

describe('a bootstrap token', () => {
  it('authenticates as system:bootstrap:ID in system:bootstrappers', async () => {
    expect(await userOf(VALID)).toEqual({
      name: 'system:bootstrap:abc123',
      groups: ['system:bootstrappers'],
    })
  })

  it('may add auth-extra-groups, sorted and without duplicates', async () => {
    const groups = 'system:bootstrappers:z,system:bootstrappers:a,system:bootstrappers:a'
    expect((await userOf({ ...VALID, 'auth-extra-groups': groups }))?.groups).toEqual([
      'system:bootstrappers',
      'system:bootstrappers:a',
      'system:bootstrappers:z',
    ])
  })

  it.each([
    ['expired', { expiration: '2026-01-01T00:00:00Z' }],
    ['with an expiry that is not a time', { expiration: 'tomorrow' }],
    ['not for authentication', { 'usage-bootstrap-authentication': 'True' }],
    ['with another secret', { 'token-secret': '0123456789abcdee' }],
    ['with another id', { 'token-id': 'abc124' }],
    ['with a group that is not of bootstrappers', { 'auth-extra-groups': 'system:masters' }],
    [
      'with a space between its groups',
      { 'auth-extra-groups': 'system:bootstrappers:a, system:bootstrappers:b' },
    ],
  ])('rejects %s', async (_, difference) => {
    expect(await userOf({ ...VALID, ...difference })).toBeUndefined()
  })

  it('requires a Secret of type bootstrap.kubernetes.io/token', async () => {
    expect(await userOf(VALID, { type: 'Opaque' })).toBeUndefined()
  })

  it('expires to the millisecond, in any time zone', async () => {
    expect(await userOf({ ...VALID, expiration: '2026-01-01T02:00:01+02:00' })).toBeDefined()
    expect(await userOf({ ...VALID, expiration: '2026-01-01T02:00:00+02:00' })).toBeUndefined()
  })

  it.each([
    'abc123',
    'abc123.short',
    'ABC123.0123456789abcdef',
    'abc123.0123456789abcdef0',
    'abc123:0123456789abcdef',
  ])('has one format: %s is not a bootstrap token', async (token) => {
    expect(await userOf(VALID, { token })).toBeUndefined()
  })
})
