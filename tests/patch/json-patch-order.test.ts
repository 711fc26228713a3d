/**
 * The order of members in a patched document, which decides the order of errors and warnings:
 * objects that an operation entered are sorted, others keep their order.
 */

import { expect, it, test } from 'vitest'
import { applyJsonPatch } from '../../src/engine/patch/json-patch'
import { jsonObject } from '../support/json-objects'

const target = { z: { b: 1, a: 2 }, m: { y: { d: 1, c: 2 }, x: 1 }, list: [{ q: 1, p: 2 }] }
const patched = (...operations: object[]) =>
  JSON.stringify(applyJsonPatch(jsonObject(target), operations.map(jsonObject)))

it.each([
  [
    'the root is always sorted',
    [],
    '{"list":[{"q":1,"p":2}],"m":{"y":{"d":1,"c":2},"x":1},"z":{"b":1,"a":2}}',
  ],
  [
    'what is brought stays as it is',
    [{ op: 'add', path: '/new', value: { f: { h: 1, g: 2 }, e: 1 } }],
    '{"list":[{"q":1,"p":2}],"m":{"y":{"d":1,"c":2},"x":1},"new":{"f":{"h":1,"g":2},"e":1},"z":{"b":1,"a":2}}',
  ],
  [
    'the way to a change is sorted',
    [{ op: 'replace', path: '/m/x', value: 3 }],
    '{"list":[{"q":1,"p":2}],"m":{"x":3,"y":{"d":1,"c":2}},"z":{"b":1,"a":2}}',
  ],
  [
    'so is the way to what is copied, but not the copy',
    [{ op: 'copy', from: '/m/y', path: '/k' }],
    '{"k":{"d":1,"c":2},"list":[{"q":1,"p":2}],"m":{"x":1,"y":{"d":1,"c":2}},"z":{"b":1,"a":2}}',
  ],
  [
    'a copy into itself is made behind the way to its place',
    [{ op: 'copy', from: '/m', path: '/m/x' }],
    '{"list":[{"q":1,"p":2}],"m":{"x":{"x":1,"y":{"d":1,"c":2}},"y":{"d":1,"c":2}},"z":{"b":1,"a":2}}',
  ],
  [
    'what is copied and then looked into is sorted, and the copy is not',
    [
      { op: 'copy', from: '/z', path: '/k' },
      { op: 'test', path: '/z/a', value: 2 },
    ],
    '{"k":{"b":1,"a":2},"list":[{"q":1,"p":2}],"m":{"y":{"d":1,"c":2},"x":1},"z":{"a":2,"b":1}}',
  ],
  [
    'a test sorts all that it compares',
    [{ op: 'test', path: '/m', value: { x: 1, y: { c: 2, d: 1 } } }],
    '{"list":[{"q":1,"p":2}],"m":{"x":1,"y":{"c":2,"d":1}},"z":{"b":1,"a":2}}',
  ],
  [
    'items of a list on the way stay as they are, but for the one that is entered',
    [{ op: 'test', path: '/list/0/p', value: 2 }],
    '{"list":[{"p":2,"q":1}],"m":{"y":{"d":1,"c":2},"x":1},"z":{"b":1,"a":2}}',
  ],
])('%s', (_, operations, expected) => expect(patched(...operations)).toBe(expected))

test('the target keeps its own', () => {
  patched({ op: 'replace', path: '/m/x', value: 3 })
  expect(Object.keys(target)).toEqual(['z', 'm', 'list'])
})
