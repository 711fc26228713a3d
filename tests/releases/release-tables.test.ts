import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { findDifference } from '../../scripts/compile-facts/find-difference'
import type { Json } from '../../src/engine/core/object'
import { baseTables } from '../../src/engine/release-tables/base-tables'
import { changesOf } from '../../src/engine/release-tables/changes'
import { applied } from '../../src/engine/release-tables/difference'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { tablesOf } from '../../src/engine/release-tables/tables'
import { modelOf } from '../../src/engine/schema/builtin'
import { gatesOf } from '../../src/engine/server/gates'

describe('differences', () => {
  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => value as Json)

  it('make the later value of the one before, order of members included', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const difference = findDifference(before, after)
        const made = difference === undefined ? before : applied(before, difference)
        expect(JSON.stringify(made)).toBe(JSON.stringify(after))
      }),
    )
  })

  it('keep the order of items and members', () => {
    const before: Json = { b: 1, a: [{ name: 'x', v: 1 }, { name: 'y' }] }
    const after: Json = { a: [{ name: 'y' }, { name: 'z' }, { name: 'x', v: 2 }], b: 1 }
    const difference = findDifference(before, after)
    expect(difference && JSON.stringify(applied(before, difference))).toBe(JSON.stringify(after))
  })
})

describe('tables of releases', () => {
  beforeAll(() => loadTables('1.37'))

  it('are those of the base for releases up to it', () => {
    expect(tablesOf('1.20')).toBe(baseTables())
    expect(tablesOf('1.31')).toBe(baseTables())
  })

  it('are those of the recorded release below, under their own name', () => {
    expect(tablesOf('1.34')?.release).toBe('1.34')
    expect(tablesOf('1.34')?.table('types')).toBe(tablesOf('1.33')?.table('types'))
    expect(tablesOf('1.32')?.isRecorded).toBe(false)
  })

  it('hold what came with the release', () => {
    const kind = (release: string) =>
      modelOf(tablesOf(release)).byKind('resource.k8s.io', 'v1', 'ResourceClaim')?.name
    expect(kind('1.33')).toBeUndefined()
    expect(kind('1.35')).toBe('io.k8s.api.resource.v1.ResourceClaim')
    expect(modelOf(tablesOf('1.31')).byKind('networking.k8s.io', 'v1', 'IPAddress')).toBeUndefined()
    expect(modelOf(tablesOf('1.33')).byKind('networking.k8s.io', 'v1', 'IPAddress')).toBeDefined()
  })

  it('know the last state of removed gates, but reject setting them', () => {
    const tables = tablesOf('1.33')
    expect(baseTables().table('featureGates')).toHaveProperty('StableLoadBalancerNodeSet')
    const gates = gatesOf({}, tables)
    expect(gates.DRAControlPlaneController).toBe(false)
    expect(() => gatesOf({ DRAControlPlaneController: true }, tables)).toThrow(
      'unrecognized feature gate: DRAControlPlaneController',
    )
  })
})

it('changes hold from their release on', () => {
  expect(changesOf('1.31').size).toBe(0)
  expect(changesOf('1.34').has('NullCreationTimestampOmitted')).toBe(false)
  expect(changesOf('1.35').has('NullCreationTimestampOmitted')).toBe(true)
})
