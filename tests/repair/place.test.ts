import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { nearest } from '../../src/engine/repair/nearest'
import { edited, placeOfField, placeOfPath, valueAt } from '../../src/engine/repair/place'

describe('the place of a field', () => {
  it.each([
    ['spec.containers[0].image', ['spec', 'containers', 0, 'image']],
    ['metadata.labels[app.kubernetes.io/name]', ['metadata', 'labels', 'app.kubernetes.io/name']],
    ['.spec.template.metadata', ['spec', 'template', 'metadata']],
    ['', []],
  ])('%s', (field, place) => expect(placeOfField(field)).toEqual(place))

  it('of a path finds items by key, value and index', () => {
    const object = { spec: { ports: [{ port: 80 }, { port: 443 }], names: ['a', 'b'] } }
    expect(placeOfPath(object, ['f:spec', 'f:ports', 'k:{"port":443}', 'f:port'])).toEqual([
      'spec',
      'ports',
      1,
      'port',
    ])
    expect(placeOfPath(object, ['f:spec', 'f:names', 'v:"b"'])).toEqual(['spec', 'names', 1])
    expect(placeOfPath(object, ['f:spec', 'f:names', 'i:0'])).toEqual(['spec', 'names', 0])
    expect(placeOfPath(object, ['f:spec', 'f:ports', 'k:{"port":1}'])).toBeUndefined()
  })
})

describe('an edit', () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.nat(2))
  const place = fc.tuple(fc.constantFrom('a', 'b'), fc.array(step, { maxLength: 3 }))

  it('sets a value in a copy', () => {
    fc.assert(
      fc.property(place, fc.integer(), ([first, rest], value) => {
        const object: JsonObject = { kept: 1 }
        const result = edited(object, [{ place: [first, ...rest], value }])
        expect(valueAt(result, [first, ...rest])).toBe(value)
        expect(object).toEqual({ kept: 1 })
        expect(result.kept).toBe(1)
      }),
    )
  })

  it('removes items from the end, and objects that become empty', () => {
    const object = { a: { b: { c: 1 } }, list: [0, 1, 2] }
    const places = [
      ['a', 'b', 'c'],
      ['list', 0],
      ['list', 2],
    ]
    expect(
      edited(
        object,
        places.map((place) => ({ place })),
      ),
    ).toEqual({ list: [1] })
  })
})

describe('the nearest text', () => {
  it.each([
    ['replica', ['replicas', 'paused'], 'replicas'],
    ['always', ['Always', 'Never', 'IfNotPresent'], 'Always'],
    ['imagePullPolice', ['image', 'imagePullPolicy'], 'imagePullPolicy'],
    ['Sometimes', ['Always', 'Never', 'IfNotPresent'], undefined],
    ['x', [], undefined],
  ])('of %s', (text, among, expected) => expect(nearest(text, among)).toBe(expected))
})
