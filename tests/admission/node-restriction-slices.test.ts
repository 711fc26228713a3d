/** NodeRestriction for ResourceSlices, which are behind a feature gate. */
import { describe, expect, it } from 'vitest'
import { askedServer } from '../http/asking'

const SLICES = '/apis/resource.k8s.io/v1alpha3/resourceslices'
const TOKENS = 'root-token,root,,"system:masters"\nnode-token,system:node:n1,,"system:nodes"\n'
const NODE = { authorization: 'Bearer node-token' }
const ROOT = { authorization: 'Bearer root-token' }

const served = () =>
  askedServer({
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
    const ask = served()
    expect(
      (await ask(SLICES, { method: 'POST', headers: NODE, body: slice('mine', 'n1') })).status,
    ).toBe(201)
    const refused = await ask(SLICES, { method: 'POST', headers: NODE, body: slice('yours', 'n2') })
    expect(refused.status).toBe(403)
    expect(refused.json.message).toContain(
      'can only create ResourceSlice with the same NodeName as the requesting node',
    )
  })

  it('can be deleted and read by its own node only', async () => {
    const ask = served()
    await ask(SLICES, { method: 'POST', headers: ROOT, body: slice('mine', 'n1') })
    await ask(SLICES, { method: 'POST', headers: ROOT, body: slice('yours', 'n2') })
    const status = async (method: string, name: string) =>
      (await ask(`${SLICES}/${name}`, { method, headers: NODE })).status
    expect([await status('GET', 'mine'), await status('GET', 'yours')]).toEqual([200, 403])
    expect([await status('DELETE', 'mine'), await status('DELETE', 'yours')]).toEqual([200, 403])
    const all = await ask(SLICES, { method: 'DELETE', headers: NODE })
    expect(all.json.message).toContain(
      'can only delete ResourceSlice with the same NodeName as the requesting node',
    )
  })
})
