/** NodeRestriction for ResourceSlices, which are behind a feature gate. */
import { describe, expect, it } from 'vitest'
import { testClient } from '../http/test-client'

const SLICES = '/apis/resource.k8s.io/v1alpha3/resourceslices'
const TOKENS = 'root-token,root,,"system:masters"\nnode-token,system:node:n1,,"system:nodes"\n'
const NODE = { authorization: 'Bearer node-token' }
const ROOT = { authorization: 'Bearer root-token' }

const served = () =>
  testClient({
    tokens: TOKENS,
    enableAdmissionPlugins: ['NodeRestriction'],
    featureGates: { DynamicResourceAllocation: true },
    runtimeConfig: { 'resource.k8s.io/v1alpha3': 'true' },
  })

const slice = (name: string, nodeName: string) => ({
  metadata: { name },
  spec: {
    driver: 'd.example.com',
    nodeName,
    pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
  },
})

describe('a slice', () => {
  it('can be created by its own node only', async () => {
    const sendRequest = served()
    expect(
      (await sendRequest(SLICES, { method: 'POST', headers: NODE, body: slice('mine', 'n1') }))
        .status,
    ).toBe(201)
    const rejected = await sendRequest(SLICES, {
      method: 'POST',
      headers: NODE,
      body: slice('yours', 'n2'),
    })
    expect(rejected.status).toBe(403)
    expect(rejected.json.message).toContain(
      'can only create ResourceSlice with the same NodeName as the requesting node',
    )
  })

  it('can be deleted and read by its own node only', async () => {
    const sendRequest = served()
    await sendRequest(SLICES, { method: 'POST', headers: ROOT, body: slice('mine', 'n1') })
    await sendRequest(SLICES, { method: 'POST', headers: ROOT, body: slice('yours', 'n2') })
    const status = async (method: string, name: string) =>
      (await sendRequest(`${SLICES}/${name}`, { method, headers: NODE })).status
    expect([await status('GET', 'mine'), await status('GET', 'yours')]).toEqual([200, 403])
    expect([await status('DELETE', 'mine'), await status('DELETE', 'yours')]).toEqual([200, 403])
    const all = await sendRequest(SLICES, { method: 'DELETE', headers: NODE })
    expect(all.json.message).toContain(
      'can only delete ResourceSlice with the same NodeName as the requesting node',
    )
  })
})
