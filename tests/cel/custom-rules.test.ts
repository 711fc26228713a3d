import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { detailOf, type FieldError } from '../../src/engine/http/status'
import { SchemaRules } from '../../src/engine/kinds/apiextensions/rules/evaluate'
import { schemaErrors } from '../../src/engine/kinds/apiextensions/validation/schema'
import { changedTables } from '../support/release'

const spec = (properties: JsonObject, ...rules: JsonObject[]): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': rules } },
})

const errorsOf = (schema: JsonObject): string[] =>
  schemaErrors(schema, 'schema', false).map(({ field, detail }) => `${field}: ${detail}`)

function evaluate(schema: JsonObject, object: JsonObject, old?: JsonObject) {
  const outcome = SchemaRules.of(schema)?.evaluate(object, old)
  const textsOf = (errors: FieldError[] = []) =>
    errors.map(({ field, detail }) => `${field}: ${detail}`)
  return { errors: textsOf(outcome?.errors), warnings: textsOf(outcome?.warnings) }
}

describe('a definition with rules', () => {
  it('is rejected if a rule uses an undeclared field', () => {
    const [error] = errorsOf(spec({ a: { type: 'integer' } }, { rule: 'self.b > 1' }))
    expect(error).toContain("undefined field 'b'\n | self.b > 1\n | ....^")
  })

  it('is rejected if a rule may exceed the cost budget', () => {
    const list = { type: 'array', items: { type: 'string' } }
    const nested = spec({ list }, { rule: 'self.list.all(a, self.list.all(b, a == b || a != b))' })
    expect(errorsOf(nested)[0]).toMatch(
      /estimated rule cost exceeds budget by factor of more than 100x/,
    )
    expect(
      errorsOf(spec({ list: { ...list, maxItems: 10 } }, { rule: "self.list.all(a, a != 'x')" })),
    ).toEqual([])
  })

  it('estimates the number of values by the type of the parent schema', () => {
    const items = {
      type: 'string',
      'x-kubernetes-validations': [{ rule: Array(10).fill("self == 'a'").join(' || ') }],
    }
    expect(errorsOf(spec({ list: { type: 'array', items } }))[0]).toMatch(
      /estimated rule cost exceeds budget/,
    )
    expect(errorsOf(spec({ list: { type: 'object', items } }))).toEqual([])
  })

  it('is rejected if a rule uses a reserved word without its escape', () => {
    const words = Object.fromEntries(
      ['for', 'var', 'void', 'while'].map((word) => [word, { type: 'integer' }]),
    )
    expect(
      errorsOf(
        spec(words, { rule: 'self.__for__ + self.__var__ + self.__void__ + self.__while__ > 0' }),
      ),
    ).toEqual([])
    expect(errorsOf(spec(words, { rule: 'self.void > 0' }))[0]).toContain("undefined field 'void'")
  })

  it('is rejected for its rules in addition to errors of its map list items', () => {
    const items = {
      type: 'object',
      required: ['b'],
      properties: { b: { type: 'string', nullable: true } },
      'x-kubernetes-validations': [{ rule: 'self.c == 1' }],
    }
    const list = {
      type: 'array',
      maxItems: 3,
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['b'],
    }
    const [nullable, compiled, ...more] = errorsOf(spec({ list }, { rule: 'self.missing' }))
    expect(nullable).toMatch(
      /list.\.items\.properties\[b\]\.nullable: Forbidden: .* cannot be nullable$/,
    )
    expect(compiled).toContain('list].items.x-kubernetes-validations[0].rule: Invalid value: ')
    expect(more).toEqual([])
  })

  it('rejects oldSelf in items that have no identity', () => {
    const items = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] }
    const [error] = errorsOf(spec({ list: { type: 'array', maxItems: 3, items } }))
    expect(error).toMatch(/oldSelf cannot be used on the uncorrelatable portion of the schema/)
  })
})

describe('a transition rule', () => {
  it.each(['self.a == oldSelf.a', 'self.a == .oldSelf.a'])(
    'is skipped without an old value: %s',
    (rule) => {
      const schema = spec({ a: { type: 'integer' } }, { rule, message: 'fixed' })
      expect(evaluate(schema, { spec: { a: 1 } }).errors).toEqual([])
      expect(evaluate(schema, { spec: { a: 1 } }, { spec: { a: 2 } }).errors).toEqual([
        'spec: Invalid value: "object": fixed',
      ])
    },
  )
})

describe('a rule with optionalOldSelf', () => {
  const same = '!oldSelf.hasValue() || self == oldSelf.value()'
  const turned = '!oldSelf.hasValue() || oldSelf.value() == self'
  const whole = (rule: string, properties: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties,
        'x-kubernetes-validations': [{ rule, optionalOldSelf: true }],
        ...more,
      },
    },
  })
  const kept = (schema: JsonObject, spec: JsonObject) =>
    evaluate(schema, { spec, other: 1 }, { spec, other: 0 }).errors
  const incomparable = `spec: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${same}`

  it('compares by value, part by part', () => {
    const items = { type: 'object', properties: { k: { type: 'string' }, n: { type: 'integer' } } }
    const list = {
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }
    const schema = whole(same, {
      a: { type: 'number' },
      list,
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    })
    const before: JsonObject = { a: 1, list: [{ k: 'x', n: 1 }, { k: 'y' }], set: ['a', 'b'] }
    expect(evaluate(schema, { spec: before }).errors).toEqual([])
    expect(kept(schema, before)).toEqual([])
    const moved: JsonObject = { a: 1, list: [{ k: 'y' }, { k: 'x', n: 1 }], set: ['b', 'a'] }
    expect(evaluate(schema, { spec: moved }, { spec: before }).errors).toEqual([])
    const changed: JsonObject = { ...before, list: [{ k: 'x', n: 2 }, { k: 'y' }] }
    expect(evaluate(schema, { spec: changed }, { spec: before }).errors).toEqual([
      `spec: Invalid value: "object": failed rule: ${same}`,
    ])
  })

  it('cannot compare fields outside the schema, which have no type in the old object', () => {
    const preserving = { 'x-kubernetes-preserve-unknown-fields': true }
    const given = { a: 'x', more: 1 }
    expect(kept(whole(same, { a: { type: 'string' } }, preserving), given)).toEqual([incomparable])
    expect(kept(whole(turned, { a: { type: 'string' } }, preserving), given)).toEqual([
      `spec: Invalid value: "object": failed rule: ${turned}`,
    ])
    const inner = { type: 'object', properties: { a: { type: 'string' } }, ...preserving }
    expect(kept(whole(same, { inner }), { inner: given })).toEqual([incomparable])
    expect(kept(whole(same, { list: { type: 'array', items: inner } }), { list: [given] })).toEqual(
      [incomparable],
    )
  })

  it('reads strings in the old object where the schema has times', () => {
    const schema = whole(same, { at: { type: 'string', format: 'date-time' } })
    expect(kept(schema, { at: '2024-01-01T00:00:00Z' })).toEqual([
      `spec: Invalid value: "object": failed rule: ${same}`,
    ])
    const text = "!oldSelf.hasValue() || dyn(oldSelf.value().at) == '2024-01-01T00:00:00Z'"
    expect(
      kept(whole(text, { at: { type: 'string', format: 'date-time' } }), {
        at: '2024-01-01T00:00:00Z',
      }),
    ).toEqual([])
  })
})

describe('the fieldPath of a rule', () => {
  it('is appended with a dot, even if it begins with a map key', () => {
    const rules = [{ rule: 'false', message: 'no', fieldPath: "['b'].c" }]
    const map = {
      type: 'object',
      additionalProperties: { type: 'object', properties: { c: { type: 'string' } } },
    }
    const schema = spec({ a: { ...map, 'x-kubernetes-validations': rules } })
    expect(evaluate(schema, { spec: { a: {} } }).errors).toEqual([
      'spec.a.[b].c: Invalid value: "object": no',
    ])
  })
})

describe('a default', () => {
  it('must satisfy the rules of its own schema', () => {
    const positive = {
      type: 'integer',
      default: -1,
      'x-kubernetes-validations': [{ rule: 'self > 0' }],
    }
    expect(errorsOf(spec({ a: positive }))).toEqual([
      'schema.properties[spec].properties[a].default: Invalid value: "integer": failed rule: self > 0',
    ])
  })

  it('reports each rule that does not compile at its own path', () => {
    const rules = [{ rule: 'self.foo == 1' }, { rule: 'nobody' }]
    const reported = errorsOf(
      spec({ a: { type: 'integer', default: 1, 'x-kubernetes-validations': rules } }),
    )
    expect(reported.map((error) => error.split('\n')[0])).toEqual([
      'schema.properties[spec].properties[a].default: Invalid value: "integer": rule compile error: compilation failed: ERROR: <input>:1:5: type \'int\' does not support field selection',
      "schema.properties[spec].properties[a].default: Invalid value: \"integer\": rule compile error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nobody' (in container '')",
    ])
  })
})

describe('an object in a rule', () => {
  const seen = (
    properties: JsonObject,
    rule: string,
    given: JsonObject,
    members: JsonObject = {},
  ) => {
    const schema = spec(
      {
        a: { type: 'object', properties, ...members },
        b: { type: 'object', properties, ...members },
      },
      { rule },
    )
    return evaluate(schema, { spec: given }).errors
  }

  it('has no null fields', () => {
    const free = { c: { type: 'string', nullable: true } }
    expect(seen(free, '!has(self.a.c) && !self.a.?c.hasValue()', { a: { c: null } })).toEqual([])
    expect(seen(free, "self.a.c == 'd'", { a: { c: null } })).toEqual([
      'spec: Invalid value: "object": no such key: c evaluating rule: self.a.c == \'d\'',
    ])
  })

  it('has a type with the path as its name, and is a map', () => {
    const schema = (rule: string) =>
      spec(
        { a: { type: 'object', properties: { c: { type: 'integer' } } }, b: { type: 'object' } },
        { rule },
      )
    expect(errorsOf(schema('self.a == self.b'))[0]).toContain(
      "overload for '_==_' applied to '(selfType1.a, selfType1.b)'",
    )
    expect(evaluate(schema('type(self.a) == map'), { spec: { a: {} } }).errors).toEqual([])
  })

  it.each([
    ['dyn(self.a) == 1', false],
    ['dyn(self.a) != 1', true],
    ['1 == dyn(self.a)', true],
    ['dyn(self.a) == null', true],
    ['dyn(self.a)[1] == 1', false],
  ])('is comparable with its kind only: %s', (rule, canDistinguish) => {
    const errors = evaluate(spec({ a: { type: 'object' } }, { rule }), { spec: { a: {} } }).errors
    expect(errors.some((error) => error.includes('no such overload'))).toBe(
      rule.includes('!=') ? false : !canDistinguish,
    )
  })

  it('compares fields outside the schema too', () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true }
    const same = (a: JsonObject, b: JsonObject) =>
      seen({ c: { type: 'integer' } }, 'dyn(self.a) == dyn(self.b)', { a, b }, open).length === 0
    expect(same({ c: 1, other: { d: [2] } }, { other: { d: [2] }, c: 1 })).toBe(true)
    expect(same({ c: 1, other: 'x' }, { c: 1, other: 'y' })).toBe(false)
    expect(same({ c: 1, other: 'x' }, { c: 1 })).toBe(false)
  })
})

describe('schemas without a declared type', () => {
  const KEEPS = { 'x-kubernetes-preserve-unknown-fields': true }
  const ruled = {
    type: 'object',
    properties: { a: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule: 'self.a == 1' }],
  }
  const within = (schema: JsonObject): JsonObject => ({
    type: 'object',
    properties: { spec: schema },
  })

  it.each<[string, JsonObject, JsonObject['spec']]>([
    ['members of what has no type', { ...KEEPS, properties: { p: ruled } }, { p: { a: 2 } }],
    ['items of what has no type', { ...KEEPS, items: ruled }, [{ a: 2 }]],
    [
      'lists of such',
      { type: 'array', items: { ...KEEPS, properties: { p: ruled } } },
      [{ p: { a: 2 } }],
    ],
    [
      'maps of such',
      { type: 'object', additionalProperties: { ...KEEPS, properties: { p: ruled } } },
      { k: { p: { a: 2 } } },
    ],
    [
      'members of a list',
      { type: 'array', items: { type: 'string' }, properties: { p: ruled } },
      { p: { a: 2 } },
    ],
  ])('is passed over with the rules in it: %s', (_, schema, value) => {
    expect(SchemaRules.of(within(schema))).toBeUndefined()
    expect(evaluate(within(schema), { spec: value as Json })).toEqual({ errors: [], warnings: [] })
  })

  it('fail for items of an object schema, which only an older value can have', () => {
    const schema = within({ type: 'object', items: ruled })
    expect(evaluate(schema, { spec: {} }).errors).toEqual([])
    const unseen =
      'rule compiler initialization error: failed to convert to declType for CEL validation rules'
    expect(evaluate(schema, { spec: [{ a: 1 }] }).errors).toEqual([
      `spec[0]: Invalid value: "object": ${unseen}`,
    ])
  })

  it('hide neither their siblings nor fields that rules cannot name', () => {
    const schema = within({
      type: 'object',
      properties: { free: { ...KEEPS, properties: { p: ruled } }, 'a b': ruled, p: ruled },
    })
    expect(
      evaluate(schema, { spec: { free: { p: { a: 2 } }, 'a b': { a: 2 }, p: { a: 3 } } }).errors,
    ).toEqual([
      'spec.a b: Invalid value: "object": failed rule: self.a == 1',
      'spec.p: Invalid value: "object": failed rule: self.a == 1',
    ])
  })
})

describe('a violated rule', () => {
  it.each<[type: JsonObject, value: Json, go: string, json: string]>([
    [{ type: 'integer' }, 5, 'Invalid value: "integer": why', 'Invalid value: 5: why'],
    [{ type: 'number' }, 1.75, 'Invalid value: "number": why', 'Invalid value: 1.75: why'],
    [{ type: 'boolean' }, false, 'Invalid value: "boolean": why', 'Invalid value: false: why'],
    [
      { type: 'string', format: 'date' },
      '2024-01-02',
      'Invalid value: "string": why',
      'Invalid value: "2024-01-02": why',
    ],
    [
      { type: 'array', items: { type: 'string' } },
      ['a'],
      'Invalid value: "array": why',
      'Invalid value: why',
    ],
    [{ type: 'object' }, {}, 'Invalid value: "object": why', 'Invalid value: why'],
    [
      { 'x-kubernetes-int-or-string': true },
      50,
      'Invalid value: "": why',
      'Invalid value: 50: why',
    ],
  ])('of %o prints the type, and since Kubernetes 1.35 a scalar value', (type, value, go, json) => {
    const rules = [{ rule: 'false', message: 'why' }]
    const schema = spec({ v: { ...type, 'x-kubernetes-validations': rules } })
    const [error] = SchemaRules.of(schema)?.evaluate({ spec: { v: value } }).errors ?? []
    const texts = ['1.34', '1.35'].map(
      (release) => error && detailOf(error, changedTables(release)),
    )
    expect(texts).toEqual([go, json])
  })

  it('prints no value for a duplicate object since Kubernetes 1.35', () => {
    const rules = [{ rule: 'false', reason: 'FieldValueDuplicate' }]
    const schema = spec({ v: { type: 'object', 'x-kubernetes-validations': rules } })
    const [error] = SchemaRules.of(schema)?.evaluate({ spec: { v: {} } }).errors ?? []
    expect(error && detailOf(error, changedTables('1.35'))).toBe('Duplicate value')
  })
})
