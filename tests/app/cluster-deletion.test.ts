/** The preview of a deletion has to match what the server deletes. */
import { afterEach, describe, expect, it } from 'vitest'
import {
  countFates,
  deletionOf,
  type Fate,
  type Owned,
  type OwnedTree,
  type Propagation,
} from '../../src/app/features/cluster/deletion'
import type { KubeObject } from '../../src/engine/core/object'
import { type Cluster, deployment, testCluster } from '../support/cluster'

const owned = (name: string, owners: string[] = [], finalizers: string[] = []): Owned => ({
  uid: name,
  kind: 'ConfigMap',
  namespace: 'default',
  name,
  owners: owners.map((uid) => ({
    uid,
    kind: 'ConfigMap',
    name: uid,
    blockOwnerDeletion: uid === 'a',
  })),
  finalizers,
})

function fatesOf(tree: OwnedTree): Record<string, Fate> {
  return Object.assign({ [tree.object.name]: tree.fate }, ...tree.dependents.map(fatesOf))
}

describe('the tree', () => {
  const all = [
    owned('a'),
    owned('b', ['a']),
    owned('c', ['b']),
    owned('shared', ['a', 'other']),
    owned('other'),
  ]

  it('goes with its root, down to the last, but for what another still owns', () => {
    const tree = deletionOf(all[0] as Owned, all, 'Background')
    expect(fatesOf(tree)).toEqual({ a: 'goes', b: 'goes', c: 'goes', shared: 'stays' })
    expect(countFates(tree)).toEqual({ goes: 2, orphaned: 0, stays: 1 })
  })

  it('stays, orphaned, with all that is below it', () => {
    expect(fatesOf(deletionOf(all[0] as Owned, all, 'Orphan'))).toEqual({
      a: 'goes',
      b: 'orphaned',
      shared: 'orphaned',
    })
  })

  it('shows the order of deletion and its blockers', () => {
    const held = [owned('a'), owned('b', ['a'], ['shop/guard']), owned('c', ['b'])]
    const tree = deletionOf(held[0] as Owned, held, 'Foreground')
    expect(tree.dependents[0]?.note).toBe(
      'before its owner, which waits for it; blocked until shop/guard is removed',
    )
    expect(tree.dependents[0]?.dependents[0]?.note).toBe('before its owner, which does not wait')
  })

  it('ends where owners go round in a circle', () => {
    const circle = [owned('a', ['b']), owned('b', ['a'])]
    expect(fatesOf(deletionOf(circle[0] as Owned, circle, 'Background'))).toMatchObject({
      a: 'goes',
    })
  })
})

describe('the preview', () => {
  let cluster: Cluster
  afterEach(() => cluster.close())
  const APPS = '/apis/apps/v1/namespaces/default'
  const PATHS = [`${APPS}/deployments`, `${APPS}/replicasets`, '/api/v1/namespaces/default/pods']

  async function everything(): Promise<Owned[]> {
    const lists = await Promise.all(
      PATHS.map(async (path) => (await cluster.sendRequest({ path })).json),
    )
    return lists.flatMap(({ kind, items }) =>
      items.map(({ metadata }: KubeObject) => ({
        uid: metadata.uid ?? '',
        kind: kind.replace('List', ''),
        namespace: 'default',
        name: metadata.name ?? '',
        owners: metadata.ownerReferences ?? [],
        finalizers: metadata.finalizers ?? [],
      })),
    )
  }

  it.each<Propagation>(['Background', 'Foreground', 'Orphan'])(
    'comes true when a deployment is deleted so: %s',
    async (propagationPolicy) => {
      cluster = await testCluster({ scheduler: true, nodes: 2 })
      await cluster.pass(1)
      await cluster.sendRequest({
        method: 'POST',
        path: `${APPS}/deployments`,
        body: deployment('web', 3),
      })
      await cluster.pass(5)
      const before = await everything()
      const root = before.find(({ kind }) => kind === 'Deployment') as Owned
      const preview = fatesOf(deletionOf(root, before, propagationPolicy))
      await cluster.sendRequest({
        method: 'DELETE',
        path: `${APPS}/deployments/web`,
        body: { propagationPolicy },
      })
      await cluster.pass(120)
      const left = (await everything()).map(({ name }) => name)
      for (const [name, fate] of Object.entries(preview))
        expect([name, left.includes(name)]).toEqual([name, fate !== 'goes'])
    },
  )
})
