/** A separate X.509 library verifies certificates signed by the cluster's CA. */
import { createPublicKey, X509Certificate } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import {
  objectIdentifier,
  sequence,
  tagged,
} from '../../src/engine/authentication/service-accounts/der'
import { signedName } from '../../src/engine/controllers/certificates/names'
import { nodeSignatures } from '../../src/hosts/node/signatures'
import { type Cluster, testCluster } from '../support/cluster'

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
/** O=devs, CN=jane, with a P-256 key. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJHUmxkbk14RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVRLZFk0QVdkVFZNNkVWamt6TFh3SEhWeEx4S2NBNEM3KzJ2SHA3ClUycUFHYVZ4aXFVdTRDeXpheXV0azZsRVY5K2FkTmJTZi9rVWxCV1p6Sjc4b3Mrdm9BQXdDZ1lJS29aSXpqMEUKQXdJRFNBQXdSUUloQUtYdXU3OTFESkhjU1BYb2IvUGFTaHdxTmFIbkg4UWpaOHI5cGNhMDE3bFRBaUFwU1BIZgp0Tm9lN1pGZ2FMZWZpeUxRTmVHVjFYSXNLYUYwV0JvTzBLQXZ3QT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='

let cluster: Cluster
afterEach(() => cluster.close())

/** Creates and approves a CertificateSigningRequest. @returns it with its CA */
async function issued(
  expirationSeconds?: number,
): Promise<{ certificate: X509Certificate; authority: X509Certificate }> {
  const spec = {
    request: REQUEST,
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth', 'digital signature'],
    ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
  }
  const body = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'jane' },
    spec,
  }
  await cluster.sendRequest({ method: 'POST', path: REQUESTS, body })
  const condition = { type: 'Approved', status: 'True', reason: 'Test', message: '' }
  const headers = { 'content-type': 'application/merge-patch+json' }
  await cluster.sendRequest({
    method: 'PATCH',
    path: `${REQUESTS}/jane/approval`,
    headers,
    body: { status: { conditions: [condition] } },
  })
  await cluster.pass(1)
  const { json: signed } = await cluster.sendRequest({ path: `${REQUESTS}/jane` })
  const { json: map } = await cluster.sendRequest({
    path: '/api/v1/namespaces/default/configmaps/kube-root-ca.crt',
  })
  const certificate = new X509Certificate(Buffer.from(signed.status.certificate, 'base64'))
  return { certificate, authority: new X509Certificate(map.data['ca.crt']) }
}

it.each(['RSA', 'P-256'] as const)(
  'contains the approved request, signed by the CA (%s)',
  async (kind) => {
    const key = await (kind === 'RSA' ? nodeSignatures.generateKey() : ellipticKey())
    cluster = await testCluster({ signatures: { ...nodeSignatures, generateKey: async () => key } })
    const { certificate, authority } = await issued(3600)
    expect(authority.ca).toBe(true)
    expect(authority.verify(authority.publicKey)).toBe(true)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    expect(certificate.checkIssued(authority)).toBe(true)
    expect(certificate.subject).toBe('O=devs\nCN=jane')
    expect(certificate.ca).toBe(false)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  },
)

const HOUR = 3600
it.each([
  ['a short one that much longer', HOUR, 0],
  ['one of seven hours too', 7 * HOUR, 0],
  ['one of eight hours in all', 8 * HOUR, 300],
  ['one of a year, as long as any, in all', undefined, 300],
])('has notBefore five minutes ago, and lasts: %s', async (_, seconds, before) => {
  const key = await ellipticKey()
  cluster = await testCluster({ signatures: { ...nodeSignatures, generateKey: async () => key } })
  const { certificate } = await issued(seconds)
  const signedAt = Date.parse(certificate.validFrom) / 1000 + 300
  expect(Date.parse(certificate.validTo) / 1000 - signedAt).toBe(
    (seconds ?? 365 * 24 * HOUR) - before,
  )
})

describe('finished CertificateSigningRequests are deleted', () => {
  const MINUTE = 60
  const headers = { 'content-type': 'application/merge-patch+json' }

  async function requested(signerName: string, more: object = {}): Promise<void> {
    const key = await ellipticKey()
    cluster = await testCluster({ signatures: { ...nodeSignatures, generateKey: async () => key } })
    const spec = { request: REQUEST, signerName, usages: ['client auth'], ...more }
    const body = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'jane' },
      spec,
    }
    expect((await cluster.sendRequest({ method: 'POST', path: REQUESTS, body })).status).toBe(201)
  }

  const decide = (type: string, subresource = 'approval') => {
    const body = { status: { conditions: [{ type, status: 'True', reason: 'Test', message: '' }] } }
    return cluster.sendRequest({
      method: 'PATCH',
      path: `${REQUESTS}/jane/${subresource}`,
      headers,
      body,
    })
  }

  const isThereAfter = async (minutes: number): Promise<boolean> => {
    await cluster.pass(minutes * MINUTE)
    return (await cluster.sendRequest({ path: `${REQUESTS}/jane` })).status === 200
  }

  it('undecided, after a day', async () => {
    await requested('example.com/own')
    expect(await isThereAfter(24 * 60 - 1)).toBe(true)
    expect(await isThereAfter(2)).toBe(false)
  })

  it.each([
    ['denied', 'Denied', 'approval'],
    ['failed', 'Failed', 'status'],
  ])('%s, after an hour', async (_, type, subresource) => {
    await requested('example.com/own')
    await decide(type, subresource)
    expect(await isThereAfter(59)).toBe(true)
    expect(await isThereAfter(2)).toBe(false)
  })

  it('issued, after an hour', async () => {
    await requested('kubernetes.io/kube-apiserver-client')
    await decide('Approved')
    expect(await isThereAfter(59)).toBe(true)
    expect(await isThereAfter(2)).toBe(false)
  })

  it('or when the certificate expires', async () => {
    await requested('kubernetes.io/kube-apiserver-client', { expirationSeconds: 600 })
    await decide('Approved')
    expect(await isThereAfter(9)).toBe(true)
    expect(await isThereAfter(2)).toBe(false)
  })

  it('not while approved and unsigned', async () => {
    await requested('example.com/own')
    await decide('Approved')
    expect(await isThereAfter(48 * 60)).toBe(true)
  })
})

async function ellipticKey() {
  const { generateKeyPairSync } = await import('node:crypto')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(createPublicKey(privateKey).asymmetricKeyType).toBe('ec')
  return privateKey.export({ format: 'jwk' }) as Awaited<
    ReturnType<typeof nodeSignatures.generateKey>
  >
}

/** O=system:nodes, CN=system:node:n1 */
const NODE_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIc01JR1NBZ0VBTURBeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVYTUJVR0ExVUVBd3dPYzNsegpkR1Z0T201dlpHVTZiakV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVQySE1YYWUyeWIzdExRCmlxYXFmUHNkWnZBWUhrSEdjRVE0UHR5TWFzbm96K3k4SW9VMFRpbjl1VUVvNE5QT1dMMUk0SkVFekxsV205MWkKbEZLaTB4ME5vQUF3Q2dZSUtvWkl6ajBFQXdJRFNRQXdSZ0loQU5CUmJzc3pVMDhrYnJJN2hwQ0ppdTZ1WlI2awpMWUpnVDFiNTJFc1NsUmR1QWlFQTZmd3dXSEI5LzRsSkg0YWVhSjZuQ01MUUYvc0JFenBSV0NqMldOSVloWXc9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='

it('is approved for a node when its requester is authorized by then', async () => {
  cluster = await testCluster({ signatures: nodeSignatures })
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const allow = async (name: string, resources: string[]) => {
    const rules = [{ apiGroups: ['certificates.k8s.io'], resources, verbs: ['create'] }]
    await cluster.sendRequest({
      method: 'POST',
      path: `${rbac}/clusterroles`,
      body: { metadata: { name }, rules },
    })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }]
    await cluster.sendRequest({
      method: 'POST',
      path: `${rbac}/clusterrolebindings`,
      body: { metadata: { name }, roleRef, subjects },
    })
  }
  await allow('requests', ['certificatesigningrequests'])
  const spec = {
    request: NODE_REQUEST,
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['client auth', 'digital signature'],
  }
  const { status } = await cluster.sendRequest({
    method: 'POST',
    path: REQUESTS,
    body: { metadata: { name: 'n1' }, spec },
    token: 'alice',
  })
  expect(status).toBe(201)
  await cluster.pass(1)
  const conditions = async () =>
    (await cluster.sendRequest({ path: `${REQUESTS}/n1` })).json.status.conditions
  expect(await conditions()).toBeUndefined()
  await allow('joins', ['certificatesigningrequests/nodeclient'])
  await cluster.pass(1)
  expect(await conditions()).toMatchObject([{ type: 'Approved', reason: 'AutoApproved' }])
})

it.each([
  [
    'kubernetes.io/kube-apiserver-client-kubelet',
    ['server auth'],
    'usages did not match [client auth digital signature key encipherment]',
  ],
  ['kubernetes.io/kubelet-serving', ['server auth'], 'DNS or IP subjectAltName is required'],
])(
  'fails for a node when the request violates the signer %s',
  async (signerName, usages, message) => {
    cluster = await testCluster({ signatures: nodeSignatures })
    const body = { metadata: { name: 'n1' }, spec: { request: NODE_REQUEST, signerName, usages } }
    await cluster.sendRequest({ method: 'POST', path: REQUESTS, body })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }]
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${REQUESTS}/n1/approval`,
      headers,
      body: { status: { conditions } },
    })
    await cluster.pass(1)
    const { status } = (await cluster.sendRequest({ path: `${REQUESTS}/n1` })).json
    expect(status.conditions.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'SignerValidationFailure',
      message,
    })
  },
)

it("has subject attributes in the signer's order, with those of one type grouped", () => {
  const attribute = (type: string, text: string) =>
    sequence(objectIdentifier(type), tagged(0x0c, new TextEncoder().encode(text)))
  const [name, b, a, user] = [
    attribute('550403', 'jane'),
    attribute('55040a', 'b_'),
    attribute('55040a', 'a'),
    attribute('09', 'x'),
  ]
  const requested = sequence(...[name, b, a, user].map((each) => tagged(0x31, each)))
  const printable = (type: string, text: string) =>
    sequence(objectIdentifier(type), tagged(0x13, new TextEncoder().encode(text)))
  const wanted = sequence(
    tagged(0x31, printable('55040a', 'a'), b),
    tagged(0x31, printable('550403', 'jane')),
  )
  expect(Buffer.from(signedName(requested)).toString('hex')).toBe(
    Buffer.from(wanted).toString('hex'),
  )
})
