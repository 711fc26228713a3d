/**
 * The merge of an applied configuration with the live object, by list and map type (kubernetes.io,
 * "Server-Side Apply", "Merge strategy").
 */
import { describe, expect, it } from 'vitest'
import { merge } from '../../src/engine/apply/merge'
import type { JsonObject } from '../../src/engine/core/object'
import { modelOfCustomSchema } from '../../src/engine/schema/custom'
import { apply, ownedBy, SPEC, specOf } from './widget'

const specType = modelOfCustomSchema({ type: 'object', properties: { spec: SPEC } }).byName.get(
  'spec',
)?.type
const merged = (live: JsonObject, applied: JsonObject) => merge(live, applied, specType)

describe('an applied value', () => {
  it('replaces the live value; a field that only one of them has stays', () => {
    expect(merged({ replicas: 1, image: 'a' }, { image: 'b', inner: { a: 'x' } })).toEqual({
      replicas: 1,
      image: 'b',
      inner: { a: 'x' },
    })
  })

  it('equal to the live one changes nothing', () => {
    const live = {
      replicas: 1,
      args: ['a'],
      tags: ['x', 'y'],
      ports: [{ port: 80, name: 'web' }],
      options: { a: '1', b: '2' },
    }
    expect(
      merged(live, {
        args: ['a'],
        tags: ['y'],
        ports: [{ port: 80, name: 'web' }],
        options: { b: '2' },
      }),
    ).toBe(live)
  })

  it('shares unchanged parts with the live object', () => {
    const live = { inner: { a: 'x' }, options: { a: '1' } }
    expect((merged(live, { options: { a: '2' } }) as JsonObject).inner).toBe(live.inner)
  })

  it.each([null, {}])('removes nothing from an object with fields if it is %j', (empty) => {
    expect(merged({ options: { a: '1' } }, { options: empty })).toEqual({ options: { a: '1' } })
  })

  it('removes nothing from a list that is a set if it is an empty list', () => {
    expect(merged({ tags: ['a'], args: ['a'] }, { tags: [], args: [] })).toEqual({
      tags: ['a'],
      args: [],
    })
  })

  it('distinguishes fields from names of Object.prototype', () => {
    expect(merged({ options: {} }, { options: { constructor: 'x' } })).toEqual({
      options: { constructor: 'x' },
    })
  })
})

describe('an atomic value', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['a list', { args: ['a', 'b'] }, { args: ['c'] }],
    ['a map', { selector: { a: '1', b: '2' } }, { selector: { c: '3' } }],
  ])('is replaced as a whole: %s', (_what, live, applied) => {
    expect(merged(live, applied)).toEqual(applied)
  })

  it('has one owner for the whole', () => {
    expect(ownedBy(apply(undefined, 'a', { args: ['x', 'y'], selector: { a: '1' } }), 'a')).toEqual(
      { 'f:args': {}, 'f:selector': {} },
    )
  })
})

describe('a map', () => {
  it('is merged and owned key by key', () => {
    const both = apply(apply(undefined, 'a', { options: { a: '1' } }), 'b', { options: { b: '2' } })
    expect(specOf(both)).toEqual({ options: { a: '1', b: '2' } })
    expect([ownedBy(both, 'a'), ownedBy(both, 'b')]).toEqual([
      { 'f:options': { 'f:a': {} } },
      { 'f:options': { 'f:b': {} } },
    ])
  })
})

describe('a set', () => {
  it('is merged and owned item by item', () => {
    const both = apply(apply(undefined, 'a', { tags: ['x', 'y'] }), 'b', { tags: ['z', 'y'] })
    expect(specOf(both)).toEqual({ tags: ['x', 'z', 'y'] })
    expect(ownedBy(both, 'b')).toEqual({ 'f:tags': { 'v:"y"': {}, 'v:"z"': {} } })
  })

  it.each([
    ['the order of the applied set rules', ['a', 'b'], ['b', 'a'], ['b', 'a']],
    ['a new item keeps its position in the apply', ['a', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c']],
    [
      'what only the live set has keeps its place',
      ['a', 'b', 'c', 'd'],
      ['d', 'x', 'b'],
      ['a', 'c', 'd', 'x', 'b'],
    ],
    ['what only the live set has at the end stays there', ['a', 'z'], ['b', 'a'], ['b', 'a', 'z']],
    [
      'sets that share nothing follow each other, the live one first',
      ['a', 'b'],
      ['c', 'd'],
      ['a', 'b', 'c', 'd'],
    ],
  ])('%s', (_what, live, applied, tags) => {
    expect(merged({ tags: live }, { tags: applied })).toEqual({ tags })
  })
})

describe('a list with keys', () => {
  it('is merged item by item, and the items member by member', () => {
    const live: JsonObject[] = [
      { port: 80, protocol: 'TCP', name: 'web' },
      { port: 53, protocol: 'UDP' },
    ]
    expect(
      merged({ ports: live }, { ports: [{ port: 53, protocol: 'UDP', name: 'dns' }] }),
    ).toEqual({
      ports: [...live.slice(0, 1), { port: 53, protocol: 'UDP', name: 'dns' }],
    })
  })

  it('takes the default of a key that an item leaves out', () => {
    const once = apply(undefined, 'a', { ports: [{ port: 80 }] })
    expect(ownedBy(once, 'a')).toEqual({
      'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
    })
    expect(
      specOf(apply(once, 'b', { ports: [{ port: 80, protocol: 'TCP', name: 'web' }] })),
    ).toEqual({
      ports: [{ port: 80, name: 'web', protocol: 'TCP' }],
    })
  })

  it('may have items that differ in one of several keys', () => {
    const ports = [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP' },
    ]
    expect(specOf(apply(undefined, 'a', { ports }))).toEqual({ ports })
  })
})

describe('an applied list without unique item identity is rejected', () => {
  it.each<[string, JsonObject, string]>([
    [
      'a key left out that has no default',
      { ports: [{ name: 'x' }] },
      'element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)',
    ],
    [
      'the same key twice',
      { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    ],
    ['the same item twice', { tags: ['a', 'a'] }, '.spec.tags: duplicate entries for key [="a"]'],
    [
      'null in a set',
      { tags: [null] },
      "element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      'an object in a set',
      { tags: [{}] },
      "element 0: associative list without keys has an element that's a map type",
    ],
    [
      'a text where an item has keys',
      { ports: ['x'] },
      'element 0: associative list with keys may not have non-map elements',
    ],
    [
      'a field that the type does not know',
      { size: 1 },
      '.spec.size: field not declared in schema',
    ],
    [
      'a value of another type',
      { replicas: 'x' },
      '.spec.replicas: expected numeric (int or float), got string',
    ],
  ])('%s', (_what, spec, message) => {
    expect(() => apply(undefined, 'a', spec)).toThrow(message)
  })
})
