import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { schemaErrors as errorsOfSchema } from '../../src/engine/kinds/apiextensions/validation/schema'
import { fitsPattern } from '../../src/engine/schema/patterns/pattern-cache'
import { isFormat } from '../../src/engine/validation/custom-objects/formats'
import { listErrors } from '../../src/engine/validation/custom-objects/lists'
import { schemaErrors } from '../../src/engine/validation/custom-objects/schema'

const spec = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { spec: schema } })
const reported = (schema: JsonObject, value: Json, old?: Json) =>
  schemaErrors(spec(schema), { spec: value }, old === undefined ? {} : { old: { spec: old } }).map(
    ({ field, detail }) => `${field}: ${detail}`,
  )

describe('a value and its schema', () => {
  test('checks enum even if the type does not match', () => {
    expect(reported({ type: 'string', enum: ['a'] }, 1)).toEqual([
      'spec: Invalid value: "integer": spec in body must be of type string: "integer"',
      'spec: Unsupported value: 1: supported values: "a"',
    ])
  })

  test('validates members even if there are too few or too many', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer' } },
      required: ['b'],
      minProperties: 2,
    }
    expect(reported(schema, { a: 'x' })).toEqual([
      'spec: Invalid value: 1: spec in body should have at least 2 properties',
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      'spec.b: Required value',
    ])
  })

  test('reports once what two schemas of a combination both find', () => {
    expect(
      reported({ type: 'boolean', allOf: [{ enum: [true] }, { enum: [true] }] }, false),
    ).toEqual([
      'spec: Unsupported value: false: supported values: "true"',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ])
  })

  test('rejects a multipleOf that truncates to zero for an integer', () => {
    expect(reported({ type: 'number', multipleOf: 0.5 }, 1)).toEqual([
      'spec: Invalid value: 0: factor MultipleOf declared for spec must be positive: 0',
    ])
    expect(reported({ type: 'number', multipleOf: 0.5 }, 1.5)).toEqual([])
    expect(reported({ type: 'number', multipleOf: 1.5 }, 4)).toEqual([])
  })

  test('truncates limits for integers, beyond 64 bits to the smallest integer', () => {
    const limited = (limits: JsonObject, value: Json) =>
      reported({ type: 'number', ...limits }, value).map((text) => text.replace(/^.* in body /, ''))
    expect(limited({ minimum: 2.5, maximum: 1.5 }, 1)).toEqual([
      'should be greater than or equal to 2',
    ])
    expect(limited({ minimum: 2.5, exclusiveMinimum: true }, 2)).toEqual([
      'should be greater than 2',
    ])
    expect(limited({ minimum: 7.5, maximum: 3.25 }, 5.5)).toEqual([
      'should be greater than or equal to 7.5',
      'should be less than or equal to 3.25',
    ])
    expect(limited({ maximum: 1e30 }, 0)).toEqual([
      'should be less than or equal to -9223372036854775808',
    ])
    expect(limited({ maximum: 1e7 }, 1e21)).toEqual(['should be less than or equal to 1e+07'])
  })

  test('rejects a negative multipleOf', () => {
    expect(reported({ type: 'number', multipleOf: -2 }, 4)).toEqual([
      'spec: Invalid value: -2: factor MultipleOf declared for spec must be positive: -2',
    ])
    expect(reported({ type: 'number', multipleOf: -0.5 }, 1.5)).toEqual([
      'spec: Invalid value: -0.5: factor MultipleOf declared for spec must be positive: -0.5',
    ])
  })

  test('checks every format of a default, but not those of integers and strings', () => {
    const requested = (schema: JsonObject, value: Json) =>
      schemaErrors(schema, value, { below: 'd', isDefault: true }).map(({ detail }) => detail)
    expect(requested({ type: 'integer', format: 'color' }, 2.5)).toEqual([
      'Invalid value: "float64":  in body must be of type color: "float64"',
    ])
    const either = { 'x-kubernetes-int-or-string': true, pattern: '^b', maximum: 3 }
    expect(requested(either, true)).toEqual([])
    expect(requested(either, 'a')).toEqual(['Invalid value: "a":  in body should match \'^b\''])
    expect(requested(either, 4)).toEqual([
      'Invalid value: 4:  in body should be less than or equal to 3',
    ])
  })

  test('begins the path in a message with a dot if the root has no name', () => {
    const map = { type: 'object', additionalProperties: { type: 'integer' } }
    expect(schemaErrors(map, { k: 'x' }, { below: 'd' })).toEqual([
      expect.objectContaining({
        field: 'd.k',
        detail: 'Invalid value: "string": .k in body must be of type integer: "string"',
      }),
    ])
  })

  test('truncates a fraction in an integer enum, and prints a struct as Go does', () => {
    expect(reported({ type: 'number', enum: [2] }, 2.5)).toEqual([])
    expect(reported({ type: 'string', enum: ['a'] }, { x: [1] })[1]).toBe(
      'spec: Unsupported value: map[string]interface {}{"x":[]interface {}{1}}: supported values: "a"',
    )
  })

  test('ignores an unknown format', () => {
    expect(reported({ type: 'string', format: 'color' }, [])).toEqual([
      'spec: Invalid value: "array": spec in body must be of type string: "array"',
    ])
    expect(reported({ type: 'string', format: 'date' }, 2.5)).toEqual([
      'spec: Invalid value: "float64": spec in body must be of type date: "float64"',
    ])
  })

  test('reports the alternative that got furthest if all alternatives fail', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    }
    expect(reported(schema, {})).toEqual([
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      'spec.a: Required value',
    ])
  })

  test('does not validate unchanged values again', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer', maximum: 1 }, b: { type: 'integer', maximum: 1 } },
    }
    expect(reported(schema, { a: 5, b: 5 }, { a: 5 })).toEqual([
      'spec.b: Invalid value: 5: spec.b in body should be less than or equal to 1',
    ])
    expect(
      reported({ type: 'array', items: { type: 'integer', maximum: 1 } }, [5, 0], [5]),
    ).toHaveLength(1)
  })

  test('treats a list with map keys as unchanged in any order', () => {
    const items = { type: 'object', properties: { k: { type: 'string' }, n: { type: 'integer' } } }
    const keyed = {
      type: 'array',
      maxItems: 1,
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }
    const [a, b] = [{ k: 'a', n: 1 }, { k: 'b' }]
    expect(reported(keyed, [b, a], [a, b])).toEqual([])
    expect(reported(keyed, [b, { k: 'a', n: 2 }], [a, b])).toEqual([
      'spec: Too many: 2: must have at most 1 items',
    ])
    expect(reported({ ...keyed, 'x-kubernetes-list-type': 'atomic' }, [b, a], [a, b])).toHaveLength(
      1,
    )
  })

  test('treats a value with a member outside the schema as changed', () => {
    const open = {
      type: 'object',
      required: ['a'],
      properties: { b: { type: 'integer' } },
      'x-kubernetes-preserve-unknown-fields': true,
    }
    expect(reported(open, { b: 1 }, { b: 1 })).toEqual([])
    expect(reported(open, { b: 1, other: 2 }, { b: 1, other: 2 })).toEqual([
      'spec.a: Required value',
    ])
    const whole = { metadata: { name: 'a' } }
    expect(
      schemaErrors({ type: 'object', required: ['spec'] }, whole, { old: whole }),
    ).toHaveLength(1)
  })

  test('always validates apiVersion and kind, and otherwise only changed values', () => {
    const never = { type: 'string', pattern: '^never$' }
    const schema = (...members: string[]) => ({
      type: 'object',
      properties: Object.fromEntries(members.map((member) => [member, never])),
    })
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      name: 'a',
      inner: { kind: 'Part' },
    }
    const fields = (whole: JsonObject) =>
      schemaErrors(whole, object, { old: object }).map(({ field }) => field)
    expect(fields(schema('apiVersion', 'kind', 'name'))).toEqual(['apiVersion', 'kind'])
    expect(fields({ type: 'object', properties: { inner: schema('kind') } })).toEqual([])
  })

  test.each<[string, JsonObject[]]>([
    ['anyOf', [{ properties: { a: { enum: ['ok'] } } }, { required: ['z'] }]],
    ['oneOf', [{ properties: { a: { enum: ['ok'] } } }, { required: ['z'] }]],
    ['allOf', [{ properties: { a: { enum: ['ok'] } } }]],
  ])(
    '%s forgives an unchanged value as a whole, not its unchanged members',
    (combinator, schemas) => {
      const schema = {
        type: 'object',
        properties: { n: { type: 'integer' }, a: { type: 'string' } },
        [combinator]: schemas,
      }
      const old = { a: 'bad', n: 1 }
      expect(reported(schema, old, old)).toEqual([])
      expect(reported(schema, { ...old, n: 2 }, old)).toHaveLength(2)
      const outer = { type: 'object', properties: { o: schema, n: { type: 'integer' } } }
      expect(reported(outer, { o: old, n: 2 }, { o: old, n: 1 })).toEqual([])
    },
  )

  test('bounds hold for exactly the numbers that they name', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), (value, minimum, maximum) => {
        const wrong = (value < minimum ? 1 : 0) + (value > maximum ? 1 : 0)
        expect(reported({ type: 'integer', minimum, maximum }, value)).toHaveLength(wrong)
      }),
    )
  })
})

test('reports each repeated value of a set once', () => {
  const schema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (list) => {
      const repeated = new Set(list.filter((item, index) => list.indexOf(item) < index))
      expect(listErrors(schema, list)).toHaveLength(repeated.size)
    }),
  )
})

test('stops looking for repeated keys at a non-object item; null has no key', () => {
  const schema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  }
  const found = (...list: Json[]) =>
    listErrors(schema, list).map(({ field, detail }) => `${field} ${detail}`)
  expect(found({ k: 'a' }, { k: 'a' }, 1, 'x')).toEqual([
    '[2] Invalid value: 1: must be an object for an array of list-type map',
  ])
  expect(found(null, { v: 1 })).toEqual(['[1] Duplicate value: map[string]interface {}{}'])
})

test.each([
  ['cidr', '::/08', '::/129'],
  ['date-time', '2024-02-29t03:04:05z', '2023-02-29T03:04:05Z'],
  ['duration', '2w', '1y'],
  ['duration', 'in 12 days-or-so', '12 dozen'],
  ['email', 'A B <a@example.com>', 'a@'],
  ['email', 'a@ b (home)', '(home) a@b'],
  ['email', 'a@[10.0.0.1]', 'a@[home]'],
  ['hostname', 'example.com', '1.2.3.4'],
  ['hostname', 'a-', 'ab-c'],
  ['ipv4', '10.0.0.1', '10.0.0.256'],
  ['isbn', '9783161484100', '9783161484101'],
  ['ssn', '123-45 6789', '123456789'],
  ['uri', 'mailto:%@b', 'http://x/%zz'],
  ['uri', '/a?%zz', '/a#%zz'],
  ['uri', 'http://[fe80::1%25en0]:80/', 'http://[::1/'],
  ['uuid4', '123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
])('the format %s accepts %s and rejects %s', (format, good, bad) => {
  expect([isFormat(format, good), isFormat(format, bad)]).toEqual([true, false])
})

test('patterns use RE2 syntax', () => {
  expect(fitsPattern('^(?P<name>[[:alpha:]]+)\\z', 'abc')).toBe(true)
  expect(fitsPattern('(?i)^ABC$', 'abc')).toBe(true)
  expect(fitsPattern('^[a-z]+$', 'ab\n')).toBe(false)
})

describe('a structural schema', () => {
  const errors = (schema: JsonObject) =>
    errorsOfSchema({ type: 'object', properties: { a: schema } }, 's', false).map(
      ({ field, detail }) => `${field}: ${detail}`,
    )

  test('requires the type of every value, outside of combinations', () => {
    expect(errors({ anyOf: [{ type: 'string' }] })).toEqual([
      's.properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
      's.properties[a].type: Required value: must not be empty for specified object fields',
    ])
    expect(
      errors({
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
      }),
    ).toEqual([])
  })

  test('requires defaults that satisfy the schema', () => {
    expect(errors({ type: 'integer', default: 'x' })).toEqual([
      's.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
    ])
    expect(
      errors({ type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } }),
    ).toEqual([
      's.properties[a].default: Invalid value: map[string]interface {}{"c":1}: must not have unknown fields',
    ])
  })
})
