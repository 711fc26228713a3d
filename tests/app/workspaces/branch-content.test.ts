/** What a branch changed, against its start and its parent. */
import { constantFrom, dictionary, property, assert as propertyHolds } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  branchChanges,
  contentOf,
  digestsOf,
} from '../../../src/app/features/workspaces/branch-content'
import type { KubeObject } from '../../../src/engine/core/object'
import type { StoredRow } from '../../../src/hosts/shared/snapshots'

const row = (name: string, value: string, more: object = {}, kind = 'ConfigMap'): StoredRow => ({
  key: `/registry/${kind}/default/${name}`,
  object: {
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace: 'default', resourceVersion: value, uid: value, ...more },
    data: { value },
    status: { seen: value },
  } as unknown as KubeObject,
})
const summary = (base: StoredRow[], branch: StoredRow[], parent: StoredRow[]) =>
  branchChanges(digestsOf(base), branch, parent).map(
    ({ type, object, conflict }) =>
      `${type} ${object.metadata.name}${conflict ? ' (conflict)' : ''}`,
  )

describe('changes of a branch', () => {
  it('are created, changed and deleted objects', () => {
    const base = [row('same', '1'), row('edited', '1'), row('gone', '1')]
    const branch = [row('same', '1'), row('edited', '2'), row('fresh', '1')]
    expect(summary(base, branch, base)).toEqual(['changed edited', 'created fresh', 'deleted gone'])
  })

  it('conflict with other changes in the parent, and not with equal ones', () => {
    const base = [row('a', '1'), row('b', '1'), row('c', '1'), row('d', '1')]
    const branch = [row('a', '2'), row('b', '2'), row('c', '2')]
    const parent = [row('a', '3'), row('b', '2'), row('d', '3')]
    expect(summary(base, branch, parent)).toEqual([
      'changed a (conflict)',
      'created c (conflict)',
      'deleted d (conflict)',
    ])
  })

  it('leave out status, versions and what controllers derive', () => {
    const owned = {
      ownerReferences: [{ controller: true, kind: 'ReplicaSet', name: 'x', uid: 'y' }],
    }
    const branch = [
      row('pod', '1', owned, 'Pod'),
      row('event', '1', {}, 'Event'),
      row('kube-root-ca.crt', '1'),
    ]
    expect(summary([], branch, [])).toEqual([])
    const { object } = row('a', '1', { managedFields: [], generation: 3 })
    expect(contentOf(object)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: { value: '1' },
    })
  })

  it('send namespaces first and deletions last', () => {
    const branch = [row('a', '1'), row('team', '1', {}, 'Namespace')]
    expect(summary([row('old', '1')], branch, [row('old', '1')])).toEqual([
      'created team',
      'created a',
      'deleted old',
    ])
  })

  it('are none after they were merged, whatever they are', () => {
    const objects = dictionary(constantFrom('a', 'b', 'c'), constantFrom('1', '2'), { maxKeys: 3 })
    const rows = (values: Record<string, string>) =>
      Object.entries(values).map(([name, value]) => row(name, value))
    propertyHolds(
      property(objects, objects, objects, (base, branch, parent) => {
        const merged = new Map(rows(parent).map((one) => [one.key, one]))
        for (const { key, type, object } of branchChanges(
          digestsOf(rows(base)),
          rows(branch),
          rows(parent),
        )) {
          if (type === 'deleted') merged.delete(key)
          else merged.set(key, { key, object })
        }
        expect(branchChanges(digestsOf(rows(branch)), rows(branch), [...merged.values()])).toEqual(
          [],
        )
      }),
    )
  })
})
