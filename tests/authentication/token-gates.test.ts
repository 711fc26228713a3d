/** Disabled feature gates of service account tokens. Recorded from kube-apiserver. */
import { describe, expect, it } from 'vitest'
import { testServer } from '../registry/server'
import { claimsIn, tokenServer } from './tokens-server'

const NODE = { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'n1' } }
const POD = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web' } }
const UNBOUND = { ServiceAccountTokenNodeBinding: false }

async function serverWith(featureGates: Record<string, boolean>) {
  const server = await tokenServer({ featureGates })
  await server.make('/api/v1/nodes', { metadata: { name: 'n1' } })
  await server.make('/api/v1/namespaces/default/pods', {
    metadata: { name: 'web' },
    spec: {
      serviceAccountName: 'builder',
      nodeName: 'n1',
      containers: [{ name: 'c', image: 'nginx' }],
    },
  })
  return server
}
const extraOf = ({ user }: { user: Record<string, unknown> }) =>
  Object.keys((user.extra ?? {}) as object)
const membersOf = (token: string) => Object.keys(claimsIn(token)['kubernetes.io'] as object)

describe('a token', () => {
  it('has no credential ID without ServiceAccountTokenJTI', async () => {
    const { token, whoIs } = await serverWith({ ServiceAccountTokenJTI: false })
    const given = await token()
    expect(claimsIn(given)).not.toHaveProperty('jti')
    expect(extraOf(await whoIs(given))).toEqual([])
  })

  it('omits the node of its pod without ServiceAccountTokenPodNodeInfo', async () => {
    const { token, whoIs } = await serverWith({ ServiceAccountTokenPodNodeInfo: false })
    const given = await token(POD)
    expect(membersOf(given)).toEqual(['namespace', 'pod', 'serviceaccount'])
    expect(extraOf(await whoIs(given)).sort()).toEqual(
      ['credential-id', 'pod-name', 'pod-uid'].map(
        (name) => `authentication.kubernetes.io/${name}`,
      ),
    )
  })

  it('is not bound to a node without ServiceAccountTokenNodeBinding', async () => {
    const { request } = await serverWith(UNBOUND)
    for (const name of ['n1', 'none']) {
      const { status, json } = await request({ boundObjectRef: { ...NODE.boundObjectRef, name } })
      expect([status, json.message]).toEqual([
        400,
        'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
      ])
    }
  })
})

it('binding to nodes is rejected where such tokens are not validated', () => {
  expect(() =>
    testServer({ featureGates: { ServiceAccountTokenNodeBindingValidation: false } }),
  ).toThrow(
    'the "ServiceAccountTokenNodeBinding" feature gate can only be enabled if the "ServiceAccountTokenNodeBindingValidation" feature gate is also enabled',
  )
  expect(() =>
    testServer({ featureGates: { ...UNBOUND, ServiceAccountTokenNodeBindingValidation: false } }),
  ).not.toThrow()
})
