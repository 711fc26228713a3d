import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { applyJsonPatch, applyOperations } from '../../src/engine/patch/json-patch'
import { readJsonPatch } from '../../src/engine/patch/json-patch-reader'
import { readJson } from '../../src/engine/schema/json-reader'
import { documents, isObject } from './documents'

const patched = (document: JsonObject, ...operations: JsonObject[]): Json =>
  applyJsonPatch(document, operations)

describe('reading a patch', () => {
  const CANNOT = 'error decoding patch: json: cannot unmarshal'

  it.each<[string, Json, string]>([
    ['no list', { op: 'add' }, `${CANNOT} object into Go value of type []handlers.jsonPatchOp`],
    [
      'an operation that is not an object',
      ['add'],
      `${CANNOT} string into Go value of type handlers.jsonPatchOp`,
    ],
    [
      'a path that is not a string',
      [{ op: 'add', path: 1 }],
      `${CANNOT} number into Go struct field jsonPatchOp.path of type string`,
    ],
  ])('rejects %s', (_what, patch, message) => {
    expect(() => readJsonPatch(patch)).toThrow(message)
  })

  // Recorded from kube-apiserver 1.31 with fieldValidation=Ignore.
  it('reports a shorter error without validation', () => {
    const rejected = (patch: Json) => () => readJsonPatch(patch, false)
    expect(rejected({ op: 'add' })).toThrow(
      /^json: cannot unmarshal object into Go value of type jsonpatch.Patch$/,
    )
    expect(rejected(['add'])).toThrow(
      /^json: cannot unmarshal string into Go value of type jsonpatch.Operation$/,
    )
  })

  it('rejects more than ten thousand operations', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: null }))
    expect(() => readJsonPatch(patch)).toThrow(
      'The allowed maximum operations in a JSON patch is 10000, got 10001',
    )
    expect(readJsonPatch(patch.slice(1)).operations).toHaveLength(10_000)
  })

  it('treats null as an empty patch', () => {
    expect(readJsonPatch(null).operations).toEqual([])
  })

  it('reports unknown members of an operation, with validation', () => {
    expect(readJsonPatch([{ op: 'add', path: '/a', comment: 'x' }]).problems).toEqual([
      'json patch unknown field "[0].comment"',
    ])
    expect(readJsonPatch([{ op: 'add', path: '/a', comment: 'x' }], false).problems).toEqual([])
  })

  // In written order, as in the tests of kube-apiserver.
  it('reports repeated members of an operation, not of its value', () => {
    const { value, details } = readJson(
      '[{"op":"add","why":1,"path":"/a","value":{"b":1,"b":2}},{"op":"add","path":"/a","path":"/c","path":"/d","why":1,"why":2,"value":1}]',
    )
    expect(readJsonPatch(value, true, details).problems).toEqual([
      'json patch unknown field "[0].why"',
      'json patch duplicate field "[1].path"',
      'json patch unknown field "[1].why"',
    ])
  })
})

describe('the difference of two documents', () => {
  const any = documents({
    names: ['a', 'b', 'a/b', '~', '', '__proto__'],
    values: [null, true, 0, 1.5, 'x'],
  })

  it('as a patch converts one to the other', () => {
    fc.assert(
      fc.property(any, any, (before, after) => {
        expect(patched(before, ...differences(before, after, ''))).toEqual(after)
      }),
    )
  })

  it('in the other direction undoes the patch', () => {
    fc.assert(
      fc.property(any, any, (before, after) => {
        const there = patched(before, ...differences(before, after, '')) as JsonObject
        expect(patched(there, ...differences(after, before, ''))).toEqual(before)
      }),
    )
  })
})

/** The simplest patch from one document to another: objects by member, lists as a whole. */
function differences(before: JsonObject, after: JsonObject, path: string): JsonObject[] {
  const at = (name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return [
    ...gone.map((name) => ({ op: 'remove', path: at(name) })),
    ...Object.keys(after).flatMap((name) => {
      const [old, now] = [
        Object.hasOwn(before, name) ? before[name] : undefined,
        after[name] as Json,
      ]
      if (isObject(old) && isObject(now)) return differences(old, now, at(name))
      return [{ op: old === undefined ? 'add' : 'replace', path: at(name), value: now }]
    }),
  ]
}

describe('changes in place', () => {
  const document = { a: { x: 1 }, list: [1, 2] }
  const operations: JsonObject[] = [
    { op: 'add', path: '/b', value: { list: [{}] } },
    { op: 'add', path: '/b/list/0/y', value: 2 },
    { op: 'add', path: '/b/list/-', value: 3 },
    { op: 'copy', from: '/b', path: '/c' },
    { op: 'remove', path: '/b/list/1' },
    { op: 'move', from: '/a', path: '/c/a' },
    { op: 'add', path: '/c/a/z', value: 4 },
    { op: 'remove', path: '/list/0' },
  ]

  it('reach neither the target nor the operations, which a retry applies again', () => {
    const before = JSON.stringify([document, operations])
    const expected = {
      b: { list: [{ y: 2 }] },
      c: { a: { x: 1, z: 4 }, list: [{ y: 2 }, 3] },
      list: [2],
    }
    expect(patched(document, ...operations)).toEqual(expected)
    expect(applyOperations(document, operations)).toEqual(expected)
    expect(JSON.stringify([document, operations])).toBe(before)
  })

  it('rejects a document that moves nest too deep', () => {
    const deeper = (levels: number) =>
      Array.from({ length: levels }, (): JsonObject[] => [
        { op: 'add', path: '/next', value: {} },
        { op: 'move', from: '/deep', path: '/next/deep' },
        { op: 'move', from: '/next', path: '/deep' },
      ]).flat()
    const start = { deep: {} }
    expect(() => applyOperations(start, deeper(498))).not.toThrow()
    expect(() => applyOperations(start, deeper(499))).toThrow('exceeded max depth of 500')
    expect(() =>
      applyOperations(start, [...deeper(600), { op: 'copy', from: '/deep', path: '/copy' }]),
    ).toThrow('exceeded max depth of 500')
  })
})
