/** JSON Merge Patch: cases as in RFC 7386, appendix A, and its algorithm against a model. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { applyMergePatch } from '../../src/engine/patch/merge-patch'
import { documents, isObject } from './documents'

describe('a merge patch', () => {
  it.each<[string, Json, Json, Json]>([
    ['replaces a member', { a: 'x' }, { a: 'y' }, { a: 'y' }],
    ['adds a member', { a: 'x' }, { b: 'y' }, { a: 'x', b: 'y' }],
    ['removes a member by null', { a: 'x' }, { a: null }, {}],
    ['leaves the others alone', { a: 'x', b: 'y' }, { a: null }, { b: 'y' }],
    ['replaces a list by a text', { a: ['x'] }, { a: 'y' }, { a: 'y' }],
    ['replaces a text by a list', { a: 'y' }, { a: ['x'] }, { a: ['x'] }],
    [
      'merges objects and removes in them',
      { a: { b: 'x' } },
      { a: { b: 'y', c: null } },
      { a: { b: 'y' } },
    ],
    ['replaces lists as wholes', { a: [{ b: 'x' }] }, { a: [1] }, { a: [1] }],
    ['that is a list is the result', ['a', 'b'], ['c', 'd'], ['c', 'd']],
    ['makes a list of an object', { a: 'b' }, ['c'], ['c']],
    ['that is null is the result', { a: 'x' }, null, null],
    ['that is a text is the result', { a: 'x' }, 'y', 'y'],
    ['leaves nulls of the target alone', { e: null }, { a: 1 }, { e: null, a: 1 }],
    ['makes an object of a list', [1, 2], { a: 'b', c: null }, { a: 'b' }],
    ['keeps no nulls in what it adds', {}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ['keeps nulls that are items of lists', {}, { a: [null, 1] }, { a: [null, 1] }],
    [
      'keeps no nulls in objects of a list',
      { a: [] },
      { a: [{ b: null, c: 1 }, [{ d: null }]] },
      { a: [{ c: 1 }, [{}]] },
    ],
    [
      'leaves a list alone that it puts in the place of an object',
      { a: {} },
      { a: [{ b: null }] },
      { a: [{ b: null }] },
    ],
    [
      'merges into a member that is not an object as into an empty object',
      { a: 1 },
      { a: { b: 2 } },
      { a: { b: 2 } },
    ],
  ])('%s', (_what, target, patch, result) => {
    expect(applyMergePatch(target, patch)).toEqual(result)
  })

  it('changes neither target nor patch, and shares untouched parts', () => {
    const target = { a: { b: 1 }, c: { d: 2 } }
    const patch = { a: { b: null, e: 3 } }
    const result = applyMergePatch(target, patch) as JsonObject
    expect([target, patch]).toEqual([{ a: { b: 1 }, c: { d: 2 } }, { a: { b: null, e: 3 } }])
    expect(result.c).toBe(target.c)
  })

  it('may set a member of any name', () => {
    const result = applyMergePatch({}, JSON.parse('{"__proto__":{"x":1}}')) as JsonObject
    expect(Object.keys(result)).toEqual(['__proto__'])
    expect(result.x).toBeUndefined()
  })
})

describe('merge patches of any documents', () => {
  const names = ['a', 'b', '__proto__']
  const stored = documents({ names, values: [true, 1, 'x'] })
  const patches = documents({ names, values: [null, 1, 'x'] })

  it('that are empty change nothing', () => {
    fc.assert(
      fc.property(stored, (target) => {
        expect(applyMergePatch(target, {})).toEqual(target)
      }),
    )
  })

  it('that are the difference of two documents convert one to the other', () => {
    fc.assert(
      fc.property(stored, stored, (before, after) => {
        expect(applyMergePatch(before, difference(before, after))).toEqual(after)
      }),
    )
  })

  it('are idempotent', () => {
    fc.assert(
      fc.property(stored, patches, (target, patch) => {
        const once = applyMergePatch(target, patch)
        expect(applyMergePatch(once, patch)).toEqual(once)
      }),
    )
  })

  it('set the paths that they name, and keep all others', () => {
    fc.assert(
      fc.property(stored, patches, (target, patch) => {
        const result = valuesOf(applyMergePatch(target, patch) as JsonObject)
        expect(new Map(result)).toEqual(modelled(valuesOf(target), valuesOf(patch)))
      }),
    )
  })
})

/** Lists as a whole, objects by member. */
function difference(before: JsonObject, after: JsonObject): JsonObject {
  const members: [string, Json][] = []
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) members.push([name, null])
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    members.push([name, isObject(old) && isObject(value) ? difference(old, value) : value])
  }
  return Object.fromEntries(members)
}

const OBJECT = {}

/** A document as values by path, parents first. */
function valuesOf(document: JsonObject, path = ''): [string, Json][] {
  return Object.entries(document).flatMap(([name, value]) => {
    const at = `${path}/${name}`
    return isObject(value)
      ? [[at, OBJECT] as [string, Json], ...valuesOf(value, at)]
      : [[at, value] as [string, Json]]
  })
}

/**
 * Every value of the patch removes the values at its path and below; only an object keeps an
 * object.
 */
function modelled(target: [string, Json][], patch: [string, Json][]): Map<string, Json> {
  const result = new Map(target)
  for (const [path, value] of patch) {
    if (value === OBJECT && result.get(path) === OBJECT) continue
    for (const other of [...result.keys()])
      if (`${other}/`.startsWith(`${path}/`)) result.delete(other)
    if (value !== null) result.set(path, value)
  }
  return result
}
