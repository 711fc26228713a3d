/**
 * Managers that write through different versions of a kind: entries are compared in their own
 * version.
 */

import { describe, expect, it } from 'vitest'
import type { KindVersions } from '../../src/engine/apply/versions'
import type { JsonObject } from '../../src/engine/core/object'
import { jsonObject, kubeObject } from '../support/json-objects'
import { apply, ownedBy, specOf, update, V1, WIDGET, widget, widgetType } from './widget'

const V2 = 'example.com/v2'
const TEXT = { type: 'string' }
/** The second version renames image to picture. */
const WIDGET_2 = widgetType({
  type: 'object',
  properties: { replicas: { type: 'integer' }, picture: TEXT },
})

function renamed(object: JsonObject, from: string, to: string, apiVersion: string): JsonObject {
  const { [from]: value, ...rest } = (object.spec ?? {}) as JsonObject
  return { ...object, apiVersion, spec: value === undefined ? rest : { ...rest, [to]: value } }
}

const VERSIONS: KindVersions = {
  resetTogether: true,
  typeOf: (apiVersion) => (apiVersion === V1 ? WIDGET : apiVersion === V2 ? WIDGET_2 : undefined),
  convert(object, from, to) {
    if (from === to) return object
    return to === V2
      ? renamed(object, 'image', 'picture', V2)
      : renamed(object, 'picture', 'image', V1)
  },
}

const first = { versions: VERSIONS }
const second = { versions: VERSIONS, apiVersion: V2, type: WIDGET_2 }

const inSecond = (live: ReturnType<typeof apply>) => ({
  ...live,
  object: kubeObject(renamed(jsonObject(live.object), 'image', 'picture', V2)),
})

describe('an applier that changes its version', () => {
  it('is the same manager, and owns the same fields by their new names', () => {
    const applied = apply(undefined, 'a', { image: 'x', replicas: 1 }, first)
    const moved = apply(inSecond(applied), 'a', { picture: 'x', replicas: 1 }, second)
    expect(moved.managers).toHaveLength(1)
    expect(moved.managers[0]).toMatchObject({ manager: 'a', apiVersion: V2 })
    expect(ownedBy(moved, 'a')).toEqual({ 'f:picture': {}, 'f:replicas': {} })
  })

  it('gives up a field that it applied under the old name', () => {
    const applied = apply(undefined, 'a', { image: 'x', replicas: 1 }, first)
    expect(specOf(apply(inSecond(applied), 'a', { replicas: 1 }, second))).toEqual({ replicas: 1 })
  })
})

describe('managers of different versions', () => {
  it('have conflicts in the version of the owner', () => {
    const applied = apply(undefined, 'a', { image: 'x' }, first)
    expect(() => apply(inSecond(applied), 'b', { picture: 'y' }, second)).toThrow(
      'conflict with "a": .spec.image',
    )
  })

  it('take fields by force', () => {
    const applied = apply(undefined, 'a', { image: 'x', replicas: 1 }, first)
    const forced = apply(inSecond(applied), 'b', { picture: 'y' }, { ...second, force: true })
    expect(ownedBy(forced, 'a')).toEqual({ 'f:replicas': {} })
  })

  it('share a field under its two names, which stays while one of them applies it', () => {
    const applied = apply(undefined, 'a', { image: 'x' }, first)
    const shared = apply(inSecond(applied), 'b', { picture: 'x' }, second)
    expect(specOf(apply(shared, 'b', {}, second))).toEqual({ picture: 'x' })
  })

  it('are different updaters', () => {
    const created = update(undefined, 'hand', { image: 'x' }, first)
    const updated = update(inSecond(created), 'hand', { picture: 'x', replicas: 2 }, second)
    expect(updated.managers.map(({ apiVersion }) => apiVersion)).toEqual([V1, V2])
  })
})

it('drops the entries of a version that no longer exists', () => {
  const applied = apply(undefined, 'a', { replicas: 1 }, first)
  const orphaned = {
    ...applied,
    object: {
      ...applied.object,
      metadata: {
        ...applied.object.metadata,
        managedFields: applied.managers.map((entry) => ({
          ...entry,
          apiVersion: 'example.com/v0',
        })),
      },
    },
  }
  const updated = update(orphaned, 'hand', { replicas: 1, image: 'x' }, first)
  expect(updated.managers.map(({ manager }) => manager)).toEqual(['hand'])
})

it('a list that becomes atomic is owned as a whole by each former manager', () => {
  const applied = apply(apply(undefined, 'a', { tags: ['x'] }), 'b', { tags: ['y'] })
  const atomic = widgetType({
    type: 'object',
    properties: { tags: { type: 'array', items: TEXT }, replicas: { type: 'integer' } },
  })
  const updated = update(applied, 'hand', { tags: ['x', 'y'], replicas: 1 }, { type: atomic })
  expect([ownedBy(updated, 'a'), ownedBy(updated, 'b')]).toEqual([
    { 'f:tags': {} },
    { 'f:tags': {} },
  ])
  expect(widget(specOf(updated)).spec).toEqual({ tags: ['x', 'y'], replicas: 1 })
})
