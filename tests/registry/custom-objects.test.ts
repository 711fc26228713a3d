import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/object'
import { schemaErrors as errorsOfSchema } from '../../src/engine/registry/apiextensions/validation/schema'
import { isFormat } from '../../src/engine/registry/rules/custom-objects/formats'
import { listErrors } from '../../src/engine/registry/rules/custom-objects/lists'
import { schemaErrors } from '../../src/engine/registry/rules/custom-objects/schema'
import { fitsPattern } from '../../src/engine/schema/patterns/known'

const spec = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { spec: schema } })
const told = (schema: JsonObject, value: Json, old?: Json) =>
  schemaErrors(spec(schema), { spec: value }, old === undefined ? {} : { old: { spec: old } }).map(
    ({ field, detail }) => `${field}: ${detail}`,
  )

describe('a value and its schema', () => {
  test('a type that does not fit does not keep enum from being asked', () => {
    expect(told({ type: 'string', enum: ['a'] }, 1)).toEqual([
      'spec: Invalid value: "integer": spec in body must be of type string: "integer"',
      'spec: Unsupported value: 1: supported values: "a"',
    ])
  })

  test('of alternatives that all fail the one that got furthest is told', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(told(schema, {})).toEqual([
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      'spec.a: Required value',
    ])
  })

  test('what has not changed is not judged again', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer', maximum: 1 }, b: { type: 'integer', maximum: 1 } } }
    expect(told(schema, { a: 5, b: 5 }, { a: 5 })).toEqual(['spec.b: Invalid value: 5: spec.b in body should be less than or equal to 1'])
    expect(told({ type: 'array', items: { type: 'integer', maximum: 1 } }, [5, 0], [5])).toHaveLength(1)
  })

  test('a list whose items have keys is unchanged wherever they stand', () => {
    const items = { type: 'object', properties: { k: { type: 'string' }, n: { type: 'integer' } } }
    const keyed = { type: 'array', maxItems: 1, items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
    const [a, b] = [{ k: 'a', n: 1 }, { k: 'b' }]
    expect(told(keyed, [b, a], [a, b])).toEqual([])
    expect(told(keyed, [b, { k: 'a', n: 2 }], [a, b])).toEqual(['spec: Too many: 2: must have at most 1 items'])
    expect(told({ ...keyed, 'x-kubernetes-list-type': 'atomic' }, [b, a], [a, b])).toHaveLength(1)
  })

  test('what holds a member that the schema does not name is never unchanged', () => {
    const open = { type: 'object', required: ['a'], properties: { b: { type: 'integer' } }, 'x-kubernetes-preserve-unknown-fields': true }
    expect(told(open, { b: 1 }, { b: 1 })).toEqual([])
    expect(told(open, { b: 1, other: 2 }, { b: 1, other: 2 })).toEqual(['spec.a: Required value'])
    const whole = { metadata: { name: 'a' } }
    expect(schemaErrors({ type: 'object', required: ['spec'] }, whole, { old: whole })).toHaveLength(1)
  })

  test('alternatives do not hide what was there', () => {
    const part = { type: 'object', properties: { n: { type: 'integer' } } }
    const schema = { type: 'object', properties: { a: part, b: part }, anyOf: [{ properties: { a: { required: ['n'] } } }] }
    expect(told(schema, { a: {}, b: { n: 2 } }, { a: {}, b: { n: 1 } })).toEqual([])
    expect(told(schema, { a: {} })).toHaveLength(2)
  })

  test('bounds hold for exactly the numbers that they name', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), (value, minimum, maximum) => {
        const wrong = (value < minimum ? 1 : 0) + (value > maximum ? 1 : 0)
        expect(told({ type: 'integer', minimum, maximum }, value)).toHaveLength(wrong)
      }),
    )
  })
})

test('each value that a set repeats is told once', () => {
  const schema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (list) => {
      const repeated = new Set(list.filter((item, index) => list.indexOf(item) < index))
      expect(listErrors(schema, list)).toHaveLength(repeated.size)
    }),
  )
})

test.each([
  ['date-time', '2024-02-29t03:04:05z', '2023-02-29T03:04:05Z'],
  ['duration', '2w', '1y'],
  ['email', 'A B <a@example.com>', 'a@'],
  ['hostname', 'example.com', '1.2.3.4'],
  ['ipv4', '10.0.0.1', '10.0.0.256'],
  ['isbn', '9783161484100', '9783161484101'],
  ['uuid4', '123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
])('the format %s takes %s and not %s', (format, good, bad) => {
  expect([isFormat(format, good), isFormat(format, bad)]).toEqual([true, false])
})

test('patterns may be written as RE2 has them', () => {
  expect(fitsPattern('^(?P<name>[[:alpha:]]+)\\z', 'abc')).toBe(true)
  expect(fitsPattern('(?i)^ABC$', 'abc')).toBe(true)
  expect(fitsPattern('^[a-z]+$', 'ab\n')).toBe(false)
})

describe('a structural schema', () => {
  const errors = (schema: JsonObject) =>
    errorsOfSchema({ type: 'object', properties: { a: schema } }, 's', false).map(({ field, detail }) => `${field}: ${detail}`)

  test('says the type of every value, outside of combinations', () => {
    expect(errors({ anyOf: [{ type: 'string' }] })).toEqual([
      's.properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
      's.properties[a].type: Required value: must not be empty for specified object fields',
    ])
    expect(errors({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] })).toEqual([])
  })

  test('has defaults that it would itself let pass', () => {
    expect(errors({ type: 'integer', default: 'x' })).toEqual([
      's.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
    ])
    expect(errors({ type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } })).toEqual([
      's.properties[a].default: Invalid value: map[string]interface {}{"c":1}: must not have unknown fields',
    ])
  })
})
