/**
 * How long a client caches the output of an exec plugin
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins).
 */
import { describe, expect, it } from 'vitest'
import {
  ExecClient,
  inputOf,
  outputOf,
  readPlugin,
  SAMPLE,
} from '../../../src/app/features/access/identities/exec-plugin'

const NOW = Date.parse('2030-01-01T00:00:00Z')
const plugin = (outputs: object[]) =>
  readPlugin(
    JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', command: 'x', outputs }),
  )

function clientOf(outputs: object[]) {
  let now = NOW
  const client = new ExecClient(plugin(outputs), () => now)
  return { client, pass: (seconds: number) => (now += seconds * 1000) }
}

describe('what is kept', () => {
  it('is used until it expires', () => {
    const { client, pass } = clientOf([{ token: 'a', lifetimeSeconds: 60 }, { token: 'b' }])
    expect(client.credential().occasion).toBe('first')
    pass(60)
    expect(client.credential().occasion).toBe('cached')
    pass(1)
    const { occasion, credential } = client.credential()
    expect([occasion, credential.status.token]).toEqual(['expired', 'b'])
  })

  it('without an expiration is used until the process ends', () => {
    const { client, pass } = clientOf([{ token: 'a' }])
    client.credential()
    pass(1e9)
    expect(client.credential().occasion).toBe('cached')
  })

  it('is thrown away by a 401, and by nothing else', () => {
    const { client } = clientOf([{ token: 'a' }, { token: 'b' }])
    const { credential } = client.credential()
    expect(client.onResponse(403, credential)).toBeUndefined()
    expect(client.credential().credential.status.token).toBe('a')
    expect(client.onResponse(401, credential)?.status.token).toBe('b')
    expect(client.credential()).toMatchObject({
      occasion: 'cached',
      credential: { status: { token: 'b' } },
    })
  })

  it('stays if the 401 is about an older credential', () => {
    const { client } = clientOf([{ token: 'a' }, { token: 'b' }])
    const { credential } = client.credential()
    client.onResponse(401, credential)
    expect(client.onResponse(401, credential)).toBeUndefined()
    expect(client.credential().credential.status.token).toBe('b')
  })
})

describe('input and output of a plugin', () => {
  it('includes the cluster only with provideClusterInfo', () => {
    const plugin = readPlugin(SAMPLE)
    expect(inputOf(plugin, 'https://tab')).toEqual({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: { cluster: { server: 'https://tab', config: { region: 'north' } }, interactive: false },
    })
    expect(inputOf({ ...plugin, provideClusterInfo: false }, 'https://tab')).toMatchObject({
      spec: { interactive: false },
    })
    expect(inputOf({ ...plugin, provideClusterInfo: false }, 'https://tab')).not.toHaveProperty(
      'spec.cluster',
    )
  })

  it('writes when a credential expires in RFC 3339', () => {
    expect(
      outputOf(plugin([{ token: 'a' }]), { token: 'a', lifetimeSeconds: 90 }, NOW).status,
    ).toEqual({
      token: 'a',
      expirationTimestamp: '2030-01-01T00:01:30Z',
    })
  })

  it.each([
    ['{}', /apiVersion/],
    ['{apiVersion: client.authentication.k8s.io/v1alpha1, command: x}', /apiVersion/],
    ['{apiVersion: client.authentication.k8s.io/v1}', /command/],
    ['{apiVersion: client.authentication.k8s.io/v1, command: x}', /outputs/],
    [
      '{apiVersion: client.authentication.k8s.io/v1, command: x, outputs: [{}]}',
      /outputs\[0\] has no token/,
    ],
    [
      '{apiVersion: client.authentication.k8s.io/v1, command: x, outputs: [{token: a, lifetimeSeconds: -1}]}',
      /lifetimeSeconds/,
    ],
  ])('explains the error in %s', (text, message) => {
    expect(() => readPlugin(text)).toThrow(message)
  })
})
