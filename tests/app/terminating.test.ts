/** What a deletion waits for, and the request that ends the wait. */

import { describe, expect, it } from 'vitest'
import { type Peer, terminatingOf } from '../../src/app/features/objects/terminating'
import type { ServedResource } from '../../src/app/state/discovery'
import type { KubeObject } from '../../src/engine/core/object'
import { kubeObject } from '../support/json-objects'

const served = (group: string, resource: string, kind: string): ServedResource => ({
  group,
  version: 'v1',
  resource,
  kind,
  namespaced: kind !== 'Namespace' && kind !== 'Node',
  verbs: [],
  shortNames: [],
  subresources: [],
})
const peer = (kind: string, name: string, given: Partial<Peer> = {}): Peer => ({
  resource: served('', `${kind.toLowerCase()}s`, kind),
  namespace: 'default',
  name,
  uid: name,
  owners: [],
  finalizers: [],
  ...given,
})
const object = (kind: string, metadata: object, rest: object = {}): KubeObject =>
  kubeObject({ apiVersion: 'v1', kind, ...rest, metadata: { name: 'a', uid: 'u', ...metadata } })
const DELETED = { deletionTimestamp: '2026-01-01T00:00:30Z' }
const DELETED_AT = Date.parse('2026-01-01T00:00:30Z')

it('is nothing for an object that is not deleted', () => {
  expect(terminatingOf(object('ConfigMap', {}), [])).toBeUndefined()
})

it('begins when the grace period begins', () => {
  const pod = object('Pod', { ...DELETED, deletionGracePeriodSeconds: 30 })
  expect(terminatingOf(pod, [])).toMatchObject({
    since: DELETED_AT - 30_000,
    deadline: DELETED_AT,
  })
  expect(terminatingOf(object('ConfigMap', DELETED), [])).toEqual({
    since: DELETED_AT,
    deadline: undefined,
    waits: [],
  })
})

describe('a finalizer', () => {
  it('is removed by a patch that fails if the list has changed', () => {
    const held = object('ConfigMap', { ...DELETED, finalizers: ['a.com/one', 'a.com/two'] })
    const [, second] = terminatingOf(held, [])?.waits ?? []
    expect(second?.title).toBe('Finalizer a.com/two')
    expect(second?.step).toMatchObject({
      method: 'PATCH',
      contentType: 'application/json-patch+json',
    })
    expect(JSON.parse(second?.step?.body ?? '')).toEqual([
      { op: 'test', path: '/metadata/finalizers/1', value: 'a.com/two' },
      { op: 'remove', path: '/metadata/finalizers/1' },
    ])
  })

  it('of a foreground deletion waits for the dependents that block it', () => {
    const owner = object('Deployment', { ...DELETED, finalizers: ['foregroundDeletion'] })
    const owned = (blockOwnerDeletion: boolean) => ({
      owners: [{ uid: 'u', kind: 'Deployment', name: 'a', blockOwnerDeletion }],
    })
    const peers = [
      peer('ReplicaSet', 'blocks', owned(true)),
      peer('ReplicaSet', 'does-not', owned(false)),
      peer('ReplicaSet', 'foreign'),
    ]
    const [wait] = terminatingOf(owner, peers)?.waits ?? []
    expect(wait?.blockers.map(({ name }) => name)).toEqual(['blocks'])
  })
})

it('of a Pod waits for the kubelet of its node, and can be forced', () => {
  const pod = object('Pod', DELETED, { spec: { nodeName: 'node-1' }, status: { phase: 'Running' } })
  const [wait] = terminatingOf(pod, [peer('Node', 'node-1')])?.waits ?? []
  expect(wait?.blockers.map(({ name }) => name)).toEqual(['node-1'])
  expect(wait?.step).toMatchObject({ method: 'DELETE', body: '{"gracePeriodSeconds":0}' })
})

it('of a Namespace waits for the conditions of its controller, and leads to what is left', () => {
  const status = {
    conditions: [
      { type: 'NamespaceContentRemaining', status: 'True', message: 'Some resources remain' },
      { type: 'NamespaceDeletionDiscoveryFailure', status: 'False', message: 'fine' },
    ],
  }
  const peers = [
    peer('ConfigMap', 'held', { namespace: 'a', finalizers: ['a.com/x'] }),
    peer('ConfigMap', 'other', { finalizers: ['a.com/x'] }),
  ]
  const waits = terminatingOf(object('Namespace', DELETED, { status }), peers)
  expect(waits?.waits).toMatchObject([
    {
      title: 'NamespaceContentRemaining',
      text: 'Some resources remain',
      blockers: [{ name: 'held' }],
    },
  ])
})
