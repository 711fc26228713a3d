/** The paths below /kubetab/v1/ report why objects changed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CausalChain } from '../../src/engine/causality/documents'
import { type Cluster, deployment, testCluster } from '../support/cluster'

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const PODS = '/api/v1/namespaces/default/pods'

let cluster: Cluster
beforeEach(async () => {
  cluster = await testCluster({ scheduler: true, nodes: 2 })
  await cluster.pass(2)
})
afterEach(() => cluster.close())

async function get(path: string): Promise<{ status: number; json: unknown }> {
  return cluster.sendRequest({ method: 'GET', path })
}
async function chain(path: string): Promise<CausalChain> {
  const { status, json } = await get(path)
  expect(status).toBe(200)
  return json as CausalChain
}
const kinds = ({ steps }: CausalChain) => steps.map(({ object }) => object.kind)

describe('causes', () => {
  it('lead from a running pod back to the Deployment that a user created', async () => {
    await cluster.sendRequest({ method: 'POST', path: DEPLOYMENTS, body: deployment('web', 1) })
    await cluster.pass(30)
    const { json } = await get(PODS)
    const { items } = json as { items: { metadata: { resourceVersion: string } }[] }
    const version = items[0]?.metadata.resourceVersion ?? ''
    const found = await chain(`/kubetab/v1/causes?resourceVersion=${version}`)
    expect(found.complete).toBe(true)
    expect([...new Set(kinds(found))]).toEqual(['Deployment', 'ReplicaSet', 'Pod'])
    const [first, ...others] = found.steps
    expect([first?.user, first?.cause]).toEqual([undefined, undefined])
    expect(others.map(({ cause }) => cause)).toEqual(
      found.steps.slice(0, -1).map(({ resourceVersion }) => resourceVersion),
    )
    expect(found.steps.at(-1)).toMatchObject({
      resourceVersion: version,
      type: 'MODIFIED',
      user: expect.stringMatching(/^system:node:/),
    })
  })

  it('need one resource version', async () => {
    for (const query of ['', '?resourceVersion=1&resourceVersion=2', '?resourceVersion=x'])
      expect(await get(`/kubetab/v1/causes${query}`)).toMatchObject({
        status: 400,
        json: { reason: 'BadRequest' },
      })
  })

  it('of a resource version that does not exist are not complete', async () => {
    expect(await chain('/kubetab/v1/causes?resourceVersion=999999')).toMatchObject({
      complete: false,
      steps: [],
    })
  })
})

describe('consequences', () => {
  it('are those of the last write of a user, without a resource version', async () => {
    await cluster.sendRequest({ method: 'POST', path: DEPLOYMENTS, body: deployment('web', 2) })
    await cluster.pass(30)
    const found = await chain('/kubetab/v1/consequences')
    expect(found.steps[0]?.object).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'default',
      name: 'web',
    })
    expect(kinds(found)).toEqual(expect.arrayContaining(['ReplicaSet', 'Pod', 'Event']))
  })
})

it('other paths and methods are those of a server without them', async () => {
  expect((await get('/kubetab/v1/other')).status).toBe(404)
  const { status } = await cluster.sendRequest({
    method: 'POST',
    path: '/kubetab/v1/consequences',
    body: {},
  })
  expect(status).toBe(405)
})
