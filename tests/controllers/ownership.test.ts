/** Garbage collection by ownerReferences. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'
import { configMap } from '../support/server'

const MAPS = '/api/v1/namespaces/default/configmaps'

let cluster: Cluster
afterEach(() => cluster.close())

const statusOf = async (path: string): Promise<number> =>
  (await cluster.sendRequest({ path })).status
const owned = (name: string, owners: object[]) => ({
  ...configMap(name),
  metadata: { name, ownerReferences: owners },
})

async function create(
  name: string,
  ...owners: { json: { metadata: { name: string; uid: string } } }[]
) {
  const references = owners.map(({ json: { metadata } }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: metadata.name,
    uid: metadata.uid,
    blockOwnerDeletion: true,
  }))
  return cluster.sendRequest({ method: 'POST', path: MAPS, body: owned(name, references) })
}

describe('an object with owners', () => {
  it('is deleted with the last of its owners', async () => {
    cluster = await testCluster()
    const [first, second] = [await create('first'), await create('second')]
    await create('child', first, second)
    await cluster.sendRequest({ method: 'DELETE', path: `${MAPS}/first` })
    expect(
      (await cluster.sendRequest({ path: `${MAPS}/child` })).json.metadata.ownerReferences,
    ).toHaveLength(1)
    await cluster.sendRequest({ method: 'DELETE', path: `${MAPS}/second` })
    expect(await statusOf(`${MAPS}/child`)).toBe(404)
  })

  it('is deleted before its owner with foreground deletion, over several generations', async () => {
    cluster = await testCluster()
    const parent = await create('parent')
    const child = await create('child', parent)
    await create('grandchild', child)
    const gone: string[] = []
    const { storage } = cluster.server
    const watcher = storage.watch('/registry/configmaps/default/', storage.currentRevision(), {
      event: ({ type, current }) =>
        type === 'DELETED' && gone.push(current.object.metadata.name ?? ''),
      end() {},
    })
    await cluster.sendRequest({
      method: 'DELETE',
      path: `${MAPS}/parent`,
      body: { propagationPolicy: 'Foreground' },
    })
    await cluster.pass(1)
    watcher.stop()
    expect(gone).toEqual(['grandchild', 'child', 'parent'])
  })

  it('in an owner cycle does not block its deletion', async () => {
    cluster = await testCluster()
    const one = await create('one')
    const two = await create('two', one)
    const { metadata } = two.json
    const back = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'two',
      uid: metadata.uid,
      blockOwnerDeletion: true,
    }
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${MAPS}/one`,
      headers,
      body: { metadata: { ownerReferences: [back] } },
    })
    await cluster.sendRequest({
      method: 'DELETE',
      path: `${MAPS}/one`,
      body: { propagationPolicy: 'Foreground' },
    })
    await cluster.pass(5)
    expect([await statusOf(`${MAPS}/one`), await statusOf(`${MAPS}/two`)]).toEqual([404, 404])
  })
})

describe('an ephemeral volume', () => {
  it('has a claim that is named after its pod and deleted with it', async () => {
    cluster = await testCluster()
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    const volumes = [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }]
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'c', image: 'img:1' }], volumes },
    }
    await cluster.sendRequest({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      body: pod,
    })
    const claim = '/api/v1/namespaces/default/persistentvolumeclaims/web-scratch'
    expect(
      (await cluster.sendRequest({ path: claim })).json.metadata.ownerReferences[0],
    ).toMatchObject({
      kind: 'Pod',
      name: 'web',
    })
    await cluster.sendRequest({ method: 'DELETE', path: '/api/v1/namespaces/default/pods/web' })
    await cluster.pass(1)
    expect(await statusOf(claim)).toBe(404)
  })
})
