import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import type { FieldError } from '../../src/engine/http/status'
import { SchemaRules } from '../../src/engine/kinds/apiextensions/rules/evaluate'
import { schemaErrors } from '../../src/engine/kinds/apiextensions/validation/schema'

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

describe('a rule', () => {
  const ordered = spec(
    { min: { type: 'integer' }, max: { type: 'integer' } },
    {
      rule: 'self.min <= self.max',
      messageExpression: "'%d is more than %d'.format([self.min, self.max])",
      fieldPath: '.min',
    },
  )

  it('rejects a value with its own message at its fieldPath', () => {
    expect(evaluate(ordered, { spec: { min: 2, max: 1 } }).errors).toEqual([
      'spec.min: Invalid value: "object": 2 is more than 1',
    ])
    expect(evaluate(ordered, { spec: { min: 1, max: 1 } }).errors).toEqual([])
  })

  it('only warns if the value is unchanged', () => {
    const { errors, warnings } = evaluate(
      ordered,
      { spec: { min: 2, max: 1 } },
      { spec: { min: 2, max: 1 } },
    )
    expect(errors).toEqual([])
    expect(warnings).toEqual(['spec.min: Invalid value: "object": 2 is more than 1'])
  })

  it('always rejects the kind of the object', () => {
    const kind = { type: 'string', 'x-kubernetes-validations': [{ rule: "self == 'Other'" }] }
    const whole = { kind: 'Widget', inner: { kind: 'Part' } }
    const { errors, warnings } = evaluate(
      { type: 'object', properties: { kind, inner: { type: 'object', properties: { kind } } } },
      whole,
      whole,
    )
    expect(errors).toEqual(['kind: Invalid value: "string": failed rule: self == \'Other\''])
    expect(warnings).toEqual([
      'inner.kind: Invalid value: "string": failed rule: self == \'Other\'',
    ])
  })

  it('only warns if the list around an item without identity is unchanged', () => {
    const positive = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] }
    const schema = spec({ list: { type: 'array', items: positive }, other: { type: 'string' } })
    const kept = evaluate(
      schema,
      { spec: { list: [1, 0], other: 'b' } },
      { spec: { list: [1, 0], other: 'a' } },
    )
    expect(kept).toEqual({
      errors: [],
      warnings: ['spec.list[1]: Invalid value: "integer": failed rule: self > 0'],
    })
    expect(
      evaluate(schema, { spec: { list: [0, 1] } }, { spec: { list: [1, 0] } }).errors,
    ).toHaveLength(1)
  })

  it('is an error if its evaluation fails, even for an unchanged value', () => {
    const map = {
      type: 'object',
      additionalProperties: { type: 'string' },
      'x-kubernetes-validations': [{ rule: "self['a'] == 'b'" }],
    }
    const object = { spec: { map: {} } }
    expect(evaluate(spec({ map }), object, object).errors).toEqual([
      `spec.map: Invalid value: "object": no such key: a evaluating rule: self['a'] == 'b'`,
    ])
  })

  it('fails if an old value does not match its type', () => {
    const stays = { 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }
    const cases: [JsonObject, Json, string][] = [
      [{ type: 'string' }, 3, 'string, got int64'],
      [{ type: 'integer' }, 2.5, 'int, got float64'],
      [{ type: 'number' }, 'x', 'float, got string'],
      [{ type: 'boolean' }, [true], 'bool, got []interface {}'],
      [{ type: 'string' }, { b: 1 }, 'string, got map[string]interface {}'],
      [{ type: 'object' }, true, 'a map for the provided schema with type=object'],
      [
        { type: 'array', items: { type: 'string' } },
        'x',
        'an array for the provided schema with type=array',
      ],
      [
        { 'x-kubernetes-int-or-string': true },
        1.5,
        'XIntOrString value to be either a string or integer',
      ],
    ]
    for (const [schema, value, expected] of cases) {
      const { errors } = evaluate(
        { type: 'object', properties: { a: { ...schema, ...stays } } },
        { a: value, b: 1 },
        { a: value },
      )
      expect(errors).toEqual([
        `a: Invalid value: "${schema.type ?? ''}": invalid data, expected ${expected} evaluating rule: self == oldSelf`,
      ])
    }
    expect(
      evaluate(
        { type: 'object', properties: { a: { type: 'number', ...stays } } },
        { a: 2 },
        { a: 2 },
      ).errors,
    ).toEqual([])
  })

  it('may validate the name of the object', () => {
    const name = (rule: string) => ({
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [{ rule }],
    })
    const schema = (rule: string) => ({
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: name(rule) } } },
    })
    expect(evaluate(schema("self.startsWith('a')"), { metadata: { name: 'b' } }).errors).toEqual([
      `metadata.name: Invalid value: "string": failed rule: self.startsWith('a')`,
    ])
    expect(errorsOf(schema('self > 1'))).toEqual([
      expect.stringContaining("found no matching overload for '_>_' applied to '(string, int)'"),
    ])
  })

  it('with oldSelf runs on updates only, and never only warns', () => {
    const fixed = spec({
      a: {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed' }],
      },
    })
    expect(evaluate(fixed, { spec: { a: 'x' } }).errors).toEqual([])
    expect(evaluate(fixed, { spec: { a: 'y' } }, { spec: { a: 'x' } }).errors).toEqual([
      'spec.a: Invalid value: "string": fixed',
    ])
  })

  it('accesses escaped property names', () => {
    const schema = spec(
      { 'a-b': { type: 'integer' }, in: { type: 'integer' } },
      { rule: 'self.a__dash__b < self.__in__' },
    )
    expect(evaluate(schema, { spec: { 'a-b': 1, in: 2 } }).errors).toEqual([])
    expect(evaluate(schema, { spec: { 'a-b': 2, in: 2 } }).errors).toEqual([
      'spec: Invalid value: "object": failed rule: self.a__dash__b < self.__in__',
    ])
  })

  it('compares sets in any order', () => {
    const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } }
    const schema = spec(
      { set, list: { type: 'array', items: { type: 'string' } } },
      { rule: "self.set == ['a', 'b']" },
    )
    expect(evaluate(schema, { spec: { set: ['b', 'a'] } }).errors).toEqual([])
    expect(evaluate(schema, { spec: { set: ['b', 'b'] } }).errors).toHaveLength(1)
  })
})
