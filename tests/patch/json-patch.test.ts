/**
 * JSON Patch: RFC 6902 with the examples of its appendix A for objects, and the leniency of
 * kube-apiserver 1.31 (github.com/evanphx/json-patch).
 */
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { applyJsonPatch, applyOperations } from '../../src/engine/patch/json-patch'
import { placedLiterals } from '../../src/engine/patch/json-patch-literals'
import { type DocumentDetails, readJson } from '../../src/engine/schema/json-reader'

const patched = (document: JsonObject, ...operations: JsonObject[]): Json =>
  applyJsonPatch(document, operations)

const REJECTED = 'the server rejected our request due to an error in our request'

describe('detailed errors, as for webhook patches', () => {
  const document = { list: ['x'], object: { a: 1 } }

  it.each<[JsonObject, string]>([
    [
      { op: 'add', path: '/no/x', value: 1 },
      'add operation does not apply: doc is missing path: "/no/x": missing value',
    ],
    [
      { op: 'add', path: '/list/b', value: 1 },
      `error in add for path: '/list/b': value was not a proper array index: 'b': strconv.Atoi: parsing "b": invalid syntax`,
    ],
    [
      { op: 'add', path: '/list/3', value: 1 },
      "error in add for path: '/list/3': Unable to access invalid index: 3: invalid index referenced",
    ],
    [
      { op: 'remove', path: '/object/b' },
      "error in remove for path: '/object/b': Unable to remove nonexistent key: b: missing value",
    ],
    [
      { op: 'remove', path: '/list/99999999999999999999' },
      `error in remove for path: '/list/99999999999999999999': strconv.Atoi: parsing "99999999999999999999": value out of range`,
    ],
    [
      { op: 'replace', path: '/list/1', value: 1 },
      'replace operation does not apply: doc is missing key: /list/1: missing value',
    ],
    [
      { op: 'replace', path: '/list/1/x', value: 1 },
      'replace operation does not apply: doc is missing path: /list/1/x: missing value',
    ],
    [
      { op: 'move', path: '/object/b' },
      'move operation failed to decode from: operation, missing from field: missing value',
    ],
    [
      { op: 'move', from: '/object/x~1y', path: '/b' },
      "error in move for path: 'x/y': Unable to remove nonexistent key: x/y: missing value",
    ],
    [
      { op: 'move', from: '/object/a', path: '/no/b' },
      'move operation does not apply: doc is missing destination path: /no/b: missing value',
    ],
    [
      { op: 'copy', from: '/list/-', path: '/b' },
      `error in copy for from: '/list/-': strconv.Atoi: parsing "-": invalid syntax`,
    ],
    [
      { op: 'copy', from: '/no/b', path: '/b' },
      'copy operation does not apply: doc is missing from path: /no/b: missing value',
    ],
    [
      { op: 'copy', from: '/object', path: '/list/-3' },
      'error while adding value during copy: Unable to access invalid index: -3: invalid index referenced',
    ],
    [
      { op: 'test', path: '/no/b', value: 1 },
      'test operation does not apply: is missing path: /no/b: missing value',
    ],
    [{ op: 'test', path: '/object/a', value: 2 }, 'testing value /object/a failed: test failed'],
  ])('%o', (operation, words) => {
    expect(() => applyOperations(document, [operation])).toThrow(new Error(words))
  })
})

describe('an operation', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'A.1 adds a member',
      { city: 'Bern' },
      { op: 'add', path: '/land', value: 'CH' },
      { city: 'Bern', land: 'CH' },
    ],
    [
      'A.2 adds an item',
      { towns: ['a', 'c'] },
      { op: 'add', path: '/towns/1', value: 'b' },
      { towns: ['a', 'b', 'c'] },
    ],
    ['A.3 removes a member', { a: 1, b: 2 }, { op: 'remove', path: '/b' }, { a: 1 }],
    [
      'A.4 removes an item',
      { towns: ['a', 'b', 'c'] },
      { op: 'remove', path: '/towns/1' },
      { towns: ['a', 'c'] },
    ],
    [
      'A.5 replaces a value',
      { a: 1, b: 2 },
      { op: 'replace', path: '/b', value: 'x' },
      { a: 1, b: 'x' },
    ],
    [
      'A.6 moves a value',
      { from: { it: 1, other: 2 }, to: { was: 3 } },
      { op: 'move', from: '/from/it', path: '/to/it' },
      { from: { other: 2 }, to: { was: 3, it: 1 } },
    ],
    [
      'A.7 moves an item',
      { steps: ['a', 'd', 'b', 'c'] },
      { op: 'move', from: '/steps/1', path: '/steps/3' },
      { steps: ['a', 'b', 'c', 'd'] },
    ],
    [
      'A.8 tests a value',
      { a: 'x', list: ['p', 2, 'q'] },
      { op: 'test', path: '/list/1', value: 2 },
      { a: 'x', list: ['p', 2, 'q'] },
    ],
    [
      'A.10 adds an object',
      { a: 1 },
      { op: 'add', path: '/inner', value: { deep: {} } },
      { a: 1, inner: { deep: {} } },
    ],
    [
      'A.11 passes over members that it does not know',
      { a: 1 },
      { op: 'add', path: '/b', value: 2, remark: '!' },
      { a: 1, b: 2 },
    ],
    [
      'A.14 takes ~01 for ~1',
      { '/': 9, '~1': 10 },
      { op: 'test', path: '/~01', value: 10 },
      { '/': 9, '~1': 10 },
    ],
    [
      'A.16 adds a list as one item',
      { list: ['a'] },
      { op: 'add', path: '/list/-', value: ['b', 'c'] },
      { list: ['a', ['b', 'c']] },
    ],
    ['adds over a member that there is', { a: 1 }, { op: 'add', path: '/a', value: 2 }, { a: 2 }],
    [
      'adds at the end of a list',
      { list: ['a'] },
      { op: 'add', path: '/list/1', value: 'b' },
      { list: ['a', 'b'] },
    ],
    ['adds null', { a: 1 }, { op: 'add', path: '/b', value: null }, { a: 1, b: null }],
    [
      'copies a value',
      { a: { x: 1 } },
      { op: 'copy', from: '/a', path: '/b' },
      { a: { x: 1 }, b: { x: 1 } },
    ],
    [
      'takes ~1 for a slash',
      {},
      { op: 'add', path: '/example.com~1name', value: 1 },
      { 'example.com/name': 1 },
    ],
    ['takes an empty name for a name', { '': 1 }, { op: 'remove', path: '/' }, {}],
    ['replaces the whole', { a: 1 }, { op: 'replace', path: '', value: { b: 2 } }, { b: 2 }],
    ['tests the whole', { a: 1 }, { op: 'test', path: '', value: { a: 1 } }, { a: 1 }],
    [
      'tests objects whatever the order of their members',
      { a: { x: 1, y: 2 } },
      { op: 'test', path: '/a', value: { y: 2, x: 1 } },
      { a: { x: 1, y: 2 } },
    ],
  ])('%s', (_what, document, operation, result) => {
    expect(patched(document, operation)).toEqual(result)
  })

  it('sees the result of the operation before it', () => {
    const operations: JsonObject[] = [
      { op: 'add', path: '/a', value: {} },
      { op: 'add', path: '/a/b', value: 1 },
      { op: 'move', from: '/a/b', path: '/c' },
    ]
    expect(patched({}, ...operations)).toEqual({ a: {}, c: 1 })
  })

  it('does not change its input, and shares untouched parts', () => {
    const document = { a: { list: [1, 2] }, b: { x: 1 } }
    const result = patched(document, { op: 'remove', path: '/a/list/0' }) as typeof document
    expect(document).toEqual({ a: { list: [1, 2] }, b: { x: 1 } })
    expect(result.b).toBe(document.b)
  })

  it('may add a member of any name', () => {
    const result = patched({}, { op: 'add', path: '/__proto__', value: { x: 1 } }) as JsonObject
    expect(Object.keys(result)).toEqual(['__proto__'])
    expect(result.x).toBeUndefined()
  })
})

describe('more lenient than the RFC', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'a member that is not there can be replaced',
      {},
      { op: 'replace', path: '/a', value: 1 },
      { a: 1 },
    ],
    [
      'a member that is not there is copied as null',
      {},
      { op: 'copy', from: '/a', path: '/b' },
      { b: null },
    ],
    [
      'a member that is not there is null to a test',
      {},
      { op: 'test', path: '/a', value: null },
      {},
    ],
    [
      'indices may count from the end',
      { list: [1, 2, 3] },
      { op: 'remove', path: '/list/-1' },
      { list: [1, 2] },
    ],
    ['text before the first slash is dropped', { a: 1 }, { op: 'remove', path: 'x/a' }, {}],
    [
      'a scalar does not take the place of the whole',
      { a: 1 },
      { op: 'replace', path: '', value: 'x' },
      { a: 1 },
    ],
    ['nor does null', { a: 1 }, { op: 'replace', path: '', value: null }, { a: 1 }],
  ])('%s', (_what, document, operation, result) => {
    expect(patched(document, operation)).toEqual(result)
  })
})

describe('a failing patch is rejected without a reason', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['A.9 a test of another value', { a: 'x' }, { op: 'test', path: '/a', value: 'y' }],
    ['A.12 a member of nothing', { a: 1 }, { op: 'add', path: '/b/c', value: 1 }],
    [
      'A.15 a text that looks like the number',
      { '~1': 10 },
      { op: 'test', path: '/~01', value: '10' },
    ],
    ['a removal of nothing', {}, { op: 'remove', path: '/a' }],
    ['an item beyond the end', { list: [1] }, { op: 'add', path: '/list/2', value: 1 }],
    ['an index that is not a number', { list: [1] }, { op: 'add', path: '/list/x', value: 1 }],
    [
      'a replaced item that is not there',
      { list: [1] },
      { op: 'replace', path: '/list/1', value: 1 },
    ],
    ['a member of a scalar', { a: 1 }, { op: 'add', path: '/a/b', value: 1 }],
    ['a removal of the whole', { a: 1 }, { op: 'remove', path: '' }],
    ['an unknown operation', { a: 1 }, { op: 'increment', path: '/a' }],
    ['no operation', { a: 1 }, { path: '/a' }],
    ['no path', { a: 1 }, { op: 'remove' }],
    ['a move from nowhere', { a: 1 }, { op: 'move', path: '/b' }],
    ['a name that every object inherits', {}, { op: 'remove', path: '/constructor' }],
    ['nothing in the place of the whole', { a: 1 }, { op: 'replace', path: '' }],
  ])('%s', (_what, document, operation) => {
    expect(() => patched(document, operation)).toThrow(REJECTED)
  })
})

it.each<[string, JsonObject, string, string]>([
  ['itself', { a: 4 }, '4', '4.0'],
  ['in an object', { a: { b: 4, c: 'x' } }, '{"c":"x","b":4}', '{"c":"x","b":4.0}'],
  ['in a list', { a: [1, [100]] }, '[1,[100]]', '[1,[1e2]]'],
])('a test takes a number %s only as the document writes it', (_where, document, plain, other) => {
  const tested = (value: string): Json => {
    const { value: patch, details } = readJson(`[{"op":"test","path":"/a","value":${value}}]`)
    return applyJsonPatch(document, patch as JsonObject[], details)
  }
  expect(tested(plain)).toEqual(document)
  expect(() => tested(other)).toThrow(REJECTED)
})

it.each<[string, string, string[]]>([
  ['a member', '{"op":"add","path":"/a/x~1y","value":1.0}', ['x/y', '1.0']],
  ['an item', '{"op":"replace","path":"/list/1","value":1e1}', ['1', '1e1']],
  ['an item behind the others', '{"op":"add","path":"/list/-","value":2.0}', ['2', '2.0']],
  ['inside what is brought', '{"op":"add","path":"/b","value":{"c":[3.0]}}', ['0', '3.0']],
])('a number keeps the spelling of the patch: %s', (_where, operation, placed) => {
  const { value: patch, details } = readJson(`[${operation}]`)
  const operations = patch as JsonObject[]
  const value = applyJsonPatch({ a: {}, list: [7, 8] }, operations, details)
  const literals = [...placedLiterals(details as DocumentDetails, operations, value).literals]
  const holders = literals.filter(([holder]) => holder !== operations[0])
  expect(holders.flatMap(([, places]) => [...places].flat().map(String))).toEqual(placed)
})
