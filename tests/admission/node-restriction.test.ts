/**
 * NodeRestriction checks the whole request of a node, including fields that the endpoint ignores.
 */
import { expect, test } from 'vitest'
import { testClient } from '../http/test-client'

const TOKENS = 'root-token,root,,"system:masters"\nnode-token,system:node:n1,,"system:nodes"\n'
const NODE = { authorization: 'Bearer node-token' }
const ROOT = { authorization: 'Bearer root-token' }
const MERGE = { 'content-type': 'application/merge-patch+json' }

const served = () => testClient({ tokens: TOKENS, enableAdmissionPlugins: ['NodeRestriction'] })

test('checks changes that a status update of a node would ignore', async () => {
  const sendRequest = served()
  await sendRequest('/api/v1/nodes', {
    method: 'POST',
    headers: ROOT,
    body: { metadata: { name: 'n1' } },
  })
  const patch = (body: object) =>
    sendRequest('/api/v1/nodes/n1/status', {
      method: 'PATCH',
      headers: { ...NODE, ...MERGE },
      body,
    })
  expect((await patch({ spec: { taints: [] } })).json.message).toContain(
    'is not allowed to modify taints',
  )
  expect(
    (await patch({ spec: { configSource: { configMap: { name: 'c' } } } })).json.message,
  ).toContain('is not allowed to update configSource to a new non-nil configSource')
  const taken = await patch({ spec: { unschedulable: true }, status: { capacity: { cpu: '1' } } })
  expect([taken.status, taken.json.status]).toEqual([
    200,
    expect.objectContaining({ capacity: { cpu: '1' } }),
  ])
  expect(taken.json.spec).not.toHaveProperty('unschedulable')
})

test('returns 404 for the pod of an eviction before reading the eviction', async () => {
  const sendRequest = served()
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'other' } }
  const rejected = await sendRequest('/api/v1/namespaces/default/pods/p/eviction', {
    method: 'POST',
    headers: NODE,
    body,
  })
  expect([rejected.status, rejected.json.message]).toEqual([404, 'pod "p" not found'])
})

test('allows a node to report a volume resize with RecoverVolumeExpansionFailure', async () => {
  const featureGates = { RecoverVolumeExpansionFailure: true }
  const sendRequest = testClient({
    tokens: TOKENS,
    enableAdmissionPlugins: ['NodeRestriction'],
    featureGates,
  })
  const core = '/api/v1/namespaces/default'
  const make = (path: string, name: string, spec?: object) =>
    sendRequest(path, { method: 'POST', headers: ROOT, body: { metadata: { name }, spec } })
  await make(`${core}/serviceaccounts`, 'default')
  await make('/api/v1/nodes', 'n1')
  await make(`${core}/persistentvolumeclaims`, 'c', {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
  })
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }]
  await make(`${core}/pods`, 'p', {
    nodeName: 'n1',
    containers: [{ name: 'c', image: 'i' }],
    volumes,
  })
  const reported = {
    allocatedResources: { storage: '2Gi' },
    allocatedResourceStatuses: { storage: 'NodeResizePending' },
  }
  const report = (status: object) =>
    sendRequest(`${core}/persistentvolumeclaims/c/status`, {
      method: 'PATCH',
      headers: { ...NODE, ...MERGE },
      body: { status },
    })
  expect((await report(reported)).json.status).toMatchObject(reported)
  expect((await report({ phase: 'Lost' })).status).toBe(403)
})

test('validates a CSR unless AllowInsecureKubeletCertificateSigningRequests is on', async () => {
  const spec = {
    request: 'AAAA',
    signerName: 'kubernetes.io/kubelet-serving',
    usages: ['server auth'],
  }
  const responses = [false, true].map(async (AllowInsecureKubeletCertificateSigningRequests) => {
    const featureGates = { AllowInsecureKubeletCertificateSigningRequests }
    const sendRequest = testClient({
      tokens: TOKENS,
      enableAdmissionPlugins: ['NodeRestriction'],
      featureGates,
    })
    const body = { metadata: { name: 'r' }, spec }
    return (
      await sendRequest('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
        method: 'POST',
        headers: NODE,
        body,
      })
    ).status
  })
  // A malformed request is an invalid object as well.
  expect(await Promise.all(responses)).toEqual([403, 422])
})
