/**
 * Managers after applies and updates: giving up, sharing and taking fields (kubernetes.io,
 * "Server-Side Apply").
 */
import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../src/engine/http/status'
import { apply, applyObject, ownedBy, specOf, TIME, update, widget } from './widget'

const LATER = '2026-01-01T01:00:00Z'

function conflictOf(attempt: () => unknown): { message: string; fields: string[] } {
  try {
    attempt()
  } catch (error) {
    const { status } = error as ApiError
    expect(status.code).toBe(409)
    return {
      message: status.message ?? '',
      fields: status.details?.causes?.map(({ field }) => field ?? '') ?? [],
    }
  }
  throw new Error('there was no conflict')
}

describe('a field that an applier omits', () => {
  it('is removed if no other manager owns it', () => {
    const applied = apply(undefined, 'a', {
      replicas: 1,
      image: 'x',
      tags: ['t', 'u'],
      ports: [{ port: 1 }, { port: 2 }],
      options: { o: '1' },
    })
    const again = apply(applied, 'a', { replicas: 1, tags: ['u'], ports: [{ port: 2 }] })
    expect(specOf(again)).toEqual({ replicas: 1, tags: ['u'], ports: [{ port: 2 }] })
  })

  it('stays if another applier owns it too', () => {
    const both = apply(apply(undefined, 'a', { image: 'x', tags: ['t'] }), 'b', {
      image: 'x',
      tags: ['t'],
    })
    const given = apply(both, 'a', { replicas: 1 })
    expect(specOf(given)).toEqual({ image: 'x', tags: ['t'], replicas: 1 })
    expect(ownedBy(given, 'a')).toEqual({ 'f:replicas': {} })
    expect(ownedBy(given, 'b')).toEqual({ 'f:image': {}, 'f:tags': { 'v:"t"': {} } })
  })

  it('stays if an updater owns it', () => {
    const touched = update(apply(undefined, 'a', { image: 'x' }), 'hand', { image: 'y' })
    expect(specOf(apply(touched, 'a', { replicas: 1 }))).toEqual({ image: 'y', replicas: 1 })
  })

  it('keeps the fields of others below it', () => {
    const both = apply(apply(undefined, 'a', { ports: [{ port: 1, name: 'x' }] }), 'b', {
      ports: [{ port: 1, protocol: 'TCP' }],
    })
    expect(specOf(apply(both, 'a', {}))).toEqual({ ports: [{ port: 1, protocol: 'TCP' }] })
  })

  it('removes the entry of an applier without fields', () => {
    const { spec: _spec, ...nothing } = widget({})
    const given = applyObject(apply(undefined, 'a', { image: 'x' }), 'a', nothing)
    expect(given.managers).toEqual([])
  })

  it('has no effect if the applier never owned it', () => {
    const created = update(undefined, 'hand', { image: 'x', options: { o: '1' } })
    const applied = apply(created, 'a', { options: { p: '1' } })
    expect(specOf(apply(applied, 'a', { replicas: 1 }))).toEqual({
      image: 'x',
      options: { o: '1' },
      replicas: 1,
    })
  })
})

describe('another value of a field with another owner', () => {
  const live = () =>
    apply(undefined, 'a', { replicas: 1, image: 'x', ports: [{ port: 1, name: 'n' }] })

  it('is a conflict that names every such field', () => {
    const { message, fields } = conflictOf(() =>
      apply(live(), 'b', { replicas: 2, image: 'x', ports: [{ port: 1, name: 'm' }] }),
    )
    expect(fields).toEqual(['.spec.replicas', '.spec.ports[port=1,protocol="TCP"].name'])
    expect(message).toBe(
      'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.replicas\n- .spec.ports[port=1,protocol="TCP"].name',
    )
  })

  it('is reported in one line if it is the only one, with the version of an updater', () => {
    const touched = update(live(), 'hand', {
      replicas: 5,
      image: 'x',
      ports: [{ port: 1, name: 'n' }],
    })
    expect(
      conflictOf(() =>
        apply(touched, 'a', { replicas: 1, image: 'x', ports: [{ port: 1, name: 'n' }] }),
      ).message,
    ).toBe(
      'Apply failed with 1 conflict: conflict with "hand" using example.com/v1: .spec.replicas',
    )
  })

  it('moves from its owner to the applier by force', () => {
    const forced = apply(live(), 'b', { replicas: 2 }, { force: true })
    expect(specOf(forced).replicas).toBe(2)
    expect(ownedBy(forced, 'b')).toEqual({ 'f:replicas': {} })
    expect(ownedBy(forced, 'a')).not.toHaveProperty('f:replicas')
  })

  it('is not a conflict if the values are equal: the field is shared', () => {
    const shared = apply(live(), 'b', { replicas: 1 })
    expect(ownedBy(shared, 'a')).toMatchObject({ 'f:replicas': {} })
    expect(ownedBy(shared, 'b')).toEqual({ 'f:replicas': {} })
  })

  it('of a shared field is a conflict with each of the others', () => {
    const shared = apply(apply(live(), 'b', { replicas: 1 }), 'c', { replicas: 1 })
    const { message } = conflictOf(() =>
      apply(shared, 'a', { replicas: 2, image: 'x', ports: [{ port: 1, name: 'n' }] }),
    )
    expect(message).toBe(
      'Apply failed with 2 conflicts: conflicts with "b":\n- .spec.replicas\nconflicts with "c":\n- .spec.replicas',
    )
  })
})

describe('an update', () => {
  it('takes its changed fields from every applier, and nothing else', () => {
    const shared = apply(apply(undefined, 'a', { replicas: 1, image: 'x' }), 'b', { replicas: 1 })
    const updated = update(shared, 'hand', { replicas: 2, image: 'x' })
    expect(ownedBy(updated, 'hand', 'Update')).toEqual({ 'f:replicas': {} })
    expect(ownedBy(updated, 'a')).toEqual({ 'f:image': {} })
    expect(ownedBy(updated, 'b')).toBeUndefined()
  })

  it('removes fields from their managers without owning them', () => {
    const updated = update(apply(undefined, 'a', { replicas: 1, image: 'x' }), 'hand', {
      image: 'x',
    })
    expect(updated.managers.map(({ manager }) => manager)).toEqual(['a'])
    expect(ownedBy(updated, 'a')).toEqual({ 'f:image': {} })
  })

  it('adds to the entry of the same updater and version', () => {
    const twice = update(
      update(undefined, 'hand', { replicas: 1 }),
      'hand',
      { replicas: 1, image: 'x' },
      { time: LATER },
    )
    expect(ownedBy(twice, 'hand', 'Update')).toEqual({ '.': {}, 'f:image': {}, 'f:replicas': {} })
    expect(twice.managers.map(({ time }) => time)).toEqual([LATER])
  })

  it('without changes keeps every entry and its time', () => {
    const live = apply(undefined, 'a', { replicas: 1 })
    expect(update(live, 'hand', { replicas: 1 }, { time: LATER }).managers).toEqual(live.managers)
  })

  it('and an apply by the same name are two managers', () => {
    const both = update(apply(undefined, 'a', { replicas: 1 }), 'a', { replicas: 1, image: 'x' })
    expect(both.managers.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
      'a Apply',
      'a Update',
    ])
  })
})

describe('the time of an entry', () => {
  it('is that of the last apply that changed a value', () => {
    const live = apply(undefined, 'a', { replicas: 1 })
    const same = apply(live, 'a', { replicas: 1 }, { time: LATER })
    expect(same.managers).toEqual(live.managers)
    expect(same.outcome?.unchanged).toBe(true)
    expect(apply(live, 'a', { replicas: 2 }, { time: LATER }).managers[0]?.time).toBe(LATER)
  })

  it('is absent while the manager only agrees with others', () => {
    const shared = apply(
      apply(undefined, 'a', { replicas: 1 }),
      'b',
      { replicas: 1 },
      { time: LATER },
    )
    expect(shared.managers.map(({ manager, time }) => [manager, time])).toEqual([
      ['b', undefined],
      ['a', TIME],
    ])
  })
})

describe('an applied object', () => {
  it('has no manager of its names and server-set metadata', () => {
    const { managers } = apply(undefined, 'a', { replicas: 1 })
    expect(managers[0]?.fieldsV1).toEqual({ 'f:spec': { 'f:replicas': {} } })
  })

  it('must not have managedFields', () => {
    const applied = { ...widget({}), metadata: { name: 'w', managedFields: [] } }
    expect(() => applyObject(undefined, 'a', applied)).toThrow('metadata.managedFields must be nil')
  })

  it('must have the kind of the path', () => {
    expect(() => applyObject(undefined, 'a', { ...widget({}), kind: 'Gadget' })).toThrow(
      'invalid object type: example.com/v1, Kind=Gadget',
    )
  })
})

it('has path elements that are escaped for HTML and read back', () => {
  const applied = apply(undefined, 'a', { tags: ['x?a=1&b=2'] })
  expect(ownedBy(applied, 'a')).toEqual({ 'f:tags': { 'v:"x?a=1\\u0026b=2"': {} } })
  expect(specOf(apply(applied, 'a', { tags: ['y'] }))).toEqual({ tags: ['y'] })
})
