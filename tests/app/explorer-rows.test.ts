/** The explorer's rows: groups, kinds and objects in their order, filtered; and what a row holds on to. */
import { describe, expect, it } from 'vitest'
import {
  type ObjectRow,
  placesOf,
  type Row,
  rowsOf,
  type TreeOptions,
} from '../../src/app/features/explorer/rows'
import type { TreeKind } from '../../src/app/state/cluster'
import type { TreeObject } from '../../src/app/state/tree-object'

const object = (namespace: string, name: string): TreeObject => ({
  namespace,
  name,
  uid: `${namespace}/${name}`,
  resourceVersion: '1',
  created: '',
  deleting: false,
  health: undefined,
  owners: [],
  finalizers: [],
  changed: 0,
})

function kind(
  group: string,
  resource: string,
  name: string,
  objects: TreeObject[],
  shortNames: string[] = [],
): TreeKind {
  const keyed = objects.map((one) => [`${one.namespace}/${one.name}`, one] as const)
  const served = {
    group,
    version: 'v1',
    resource,
    kind: name,
    namespaced: true,
    verbs: ['list'],
    shortNames,
    subresources: [],
  }
  return {
    key: `${group}/${resource}`,
    resource: served,
    objects: new Map(keyed),
    order: keyed.map(([key]) => key),
  }
}

const ALL: TreeOptions = { toggled: new Set(), filter: '', namespace: '', all: false }
const KINDS = [
  kind('apps', 'deployments', 'Deployment', [object('a', 'web'), object('b', 'db')], ['deploy']),
  kind(
    '',
    'configmaps',
    'ConfigMap',
    [object('a', 'settings'), object('b', 'web-settings')],
    ['cm'],
  ),
  kind('', 'pods', 'Pod', [object('a', 'web-1')], ['po']),
  kind('policy', 'poddisruptionbudgets', 'PodDisruptionBudget', []),
]

const shown = (rows: readonly Row[]): string[] =>
  rows.map((row) => (row.type === 'object' ? row.object.uid : `${row.title} ${row.count}`))
const isObject = (row: Row): row is ObjectRow => row.type === 'object'

describe('the rows of the explorer', () => {
  it('are groups with their kinds, unfolded where a beginner looks first', () => {
    expect(shown(rowsOf(KINDS, ALL))).toEqual([
      'core 3',
      'ConfigMaps 2',
      'Pods 1',
      'a/web-1',
      'apps 2',
      'Deployments 2',
      'a/web',
      'b/db',
    ])
  })

  it('are those of a namespace, or what a filter finds by name, kind or short name', () => {
    expect(shown(rowsOf(KINDS, { ...ALL, namespace: 'b' }))).toEqual([
      'core 1',
      'ConfigMaps 1',
      'apps 1',
      'Deployments 1',
      'b/db',
    ])
    expect(shown(rowsOf(KINDS, { ...ALL, filter: 'sett' }))).toEqual([
      'core 2',
      'ConfigMaps 2',
      'a/settings',
      'b/web-settings',
    ])
    expect(shown(rowsOf(KINDS, { ...ALL, filter: 'deploy' }))).toEqual([
      'apps 2',
      'Deployments 2',
      'a/web',
      'b/db',
    ])
  })

  it('are the same for the same version of an object, so that nothing renders again', () => {
    const rows = rowsOf(KINDS, ALL).filter(isObject)
    const again = rowsOf(
      KINDS.map((one) => ({ ...one })),
      ALL,
    ).filter(isObject)
    expect(rows.length).toBeGreaterThan(0)
    for (const [index, row] of rows.entries()) expect(again[index]).toBe(row)
  })

  it('hold on to nothing but their object: a row outlives the picture that it was made for', () => {
    for (const row of rowsOf(KINDS, ALL).filter(isObject)) {
      const held = new Set<unknown>()
      const follow = (value: unknown): void => {
        if (typeof value !== 'object' || value === null || held.has(value)) return
        held.add(value)
        for (const member of value instanceof Map ? value.values() : Object.values(value))
          follow(member)
      }
      follow(row)
      for (const one of KINDS) {
        expect(held.has(one.objects)).toBe(false)
        for (const other of one.objects.values()) expect(held.has(other)).toBe(other === row.object)
      }
    }
  })
})

describe('the places of rows among their siblings', () => {
  it('are counted within the parent, at every level', () => {
    const { positions, sizes } = placesOf(rowsOf(KINDS, { ...ALL, filter: 'web' }))
    expect([...positions].map((position, index) => `${position}/${sizes[index]}`)).toEqual([
      '1/2',
      '1/2',
      '1/1',
      '2/2',
      '1/1',
      '2/2',
      '1/1',
      '1/1',
    ])
  })
})
