import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fieldElement,
  keyElement,
  PathElementError,
  parseElement,
  pathText,
  sortByElement,
  valueElement,
} from '../../src/engine/apply/path-elements'
import type { Json } from '../../src/engine/core/object'

describe('a path element', () => {
  it.each([
    ['a member', fieldElement('replicas'), 'f:replicas'],
    ['an item of a set', valueElement('a"b'), 'v:"a\\"b"'],
    ['an item of a set of numbers', valueElement(80), 'v:80'],
    ['an item safe inside HTML', valueElement('a&<b>'), 'v:"a\\u0026\\u003cb\\u003e"'],
    ['a key safe inside HTML', keyElement({ mountPath: '/a&b' }), 'k:{"mountPath":"/a\\u0026b"}'],
    [
      'a key of several members safe inside HTML',
      keyElement({ b: '&', a: 1 }),
      'k:{"a":1,"b":"\\u0026"}',
    ],
    ['an item by its key', keyElement({ name: 'web' }), 'k:{"name":"web"}'],
    [
      'an item by a key of several members, sorted',
      keyElement({ protocol: 'TCP', port: 80 }),
      'k:{"port":80,"protocol":"TCP"}',
    ],
  ])('writes %s', (_what, element, written) => {
    expect(element).toBe(written)
  })

  it.each([
    ['f:', 'f:'],
    ['f:a.b/c', 'f:a.b/c'],
    ['v: "x"', 'v:"x"'],
    ['v:"a&b"', 'v:"a\\u0026b"'],
    ['v:1.0', 'v:1'],
    ['k:{ "protocol": "TCP", "port": 80 }', 'k:{"port":80,"protocol":"TCP"}'],
    ['v:{"b":{"d":1,"c":2},"a":[]}', 'v:{"a":[],"b":{"c":2,"d":1}}'],
    ['k:null', 'k:{}'],
    ['i:007', 'i:7'],
    ['i:-1', 'i:-1'],
  ])('is normalized to one spelling: %s', (text, element) => {
    expect(parseElement(text)).toBe(element)
  })

  it('of an unknown kind is skipped', () => {
    expect(parseElement('x:y')).toBeUndefined()
  })

  it.each(['', 'f', 'fx', 'name', 'v:', 'v:{', 'k:[]', 'k:1', 'i:x', 'i:1.5'])(
    'must be well-formed: %j',
    (text) => {
      expect(() => parseElement(text)).toThrow(PathElementError)
    },
  )

  it('round-trips', () => {
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean()) as fc.Arbitrary<Json>
    const element = fc.oneof(
      fc.string().map(fieldElement),
      scalar.map(valueElement),
      fc
        .dictionary(fc.string({ minLength: 1 }), scalar, {
          minKeys: 1,
          maxKeys: 3,
          noNullPrototype: true,
        })
        .map(keyElement),
      fc.nat().map((index) => `i:${index}`),
    )
    fc.assert(
      fc.property(element, (written) => {
        expect(parseElement(written)).toBe(written)
      }),
    )
  })
})

describe('the order of path elements', () => {
  const sorted = (...elements: string[]) =>
    sortByElement(elements.map((element) => [element, undefined] as const)).map(
      ([element]) => element,
    )

  it('is fields, items by key, by value, by index', () => {
    expect(sorted('i:0', 'v:1', 'k:{"a":1}', 'f:z', 'f:a')).toEqual([
      'f:a',
      'f:z',
      'k:{"a":1}',
      'v:1',
      'i:0',
    ])
  })

  it('sorts numbers by value, before strings', () => {
    expect(sorted('v:"a"', 'v:10', 'v:9', 'v:true')).toEqual(['v:9', 'v:10', 'v:"a"', 'v:true'])
  })

  it('sorts keys field by field', () => {
    const keys = [
      'k:{"port":80,"protocol":"UDP"}',
      'k:{"port":443,"protocol":"TCP"}',
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"port":80}',
    ]
    expect(sorted(...keys)).toEqual([
      'k:{"port":80}',
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"port":80,"protocol":"UDP"}',
      'k:{"port":443,"protocol":"TCP"}',
    ])
  })
})

describe('a path in a message', () => {
  it.each([
    [['f:spec', 'f:replicas'], '.spec.replicas'],
    [['f:spec', 'k:{"name":"web"}', 'f:image'], '.spec[name="web"].image'],
    [['f:ports', 'k:{"port":80,"protocol":"TCP"}'], '.ports[port=80,protocol="TCP"]'],
    [['f:finalizers', 'v:"a/b"'], '.finalizers[="a/b"]'],
    [['f:args', 'i:2'], '.args[2]'],
    [['f:ports', 'k:{"port":{"a":[1,{"b":null}],"c":"d"}}'], '.ports[port=a=[1,b=null]c="d"]'],
  ])('%j', (path, shown) => {
    expect(pathText(path)).toBe(shown)
  })
})
