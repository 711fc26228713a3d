/**
 * Values of custom resources in operations that their schema does not allow, as in the API server.
 */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { SchemaRules } from '../../src/engine/kinds/apiextensions/rules/evaluate'

const STRINGS = { type: 'array', items: { type: 'string' } }
const PROPERTIES = {
  list: STRINGS,
  objects: {
    type: 'array',
    items: { type: 'object', properties: { x: { type: 'integer' } } },
  },
  map: { type: 'object', additionalProperties: { type: 'string' } },
  nullable: { type: 'string', nullable: true },
}
const OBJECT = { list: ['a', 'b'], objects: [{ x: 1 }], map: { a: 'b' }, nullable: null }

function outcome(expression: string): string | undefined {
  const rule = `[dyn(${expression})].size() == 1`
  const schema: JsonObject = {
    type: 'object',
    properties: PROPERTIES,
    'x-kubernetes-validations': [{ rule }],
  }
  const [error] = (SchemaRules.of(schema, false) as SchemaRules).evaluate(OBJECT).errors
  return error?.detail.replace(/^Invalid value: "\w*": /, '').replace(/ evaluating rule:.*/, '')
}

it.each([
  ['dyn(self.list)[dyn(1u)]', 'unsupported index: 1'],
  ['dyn(self.list)[dyn(1.0)]', 'unsupported index: 1'],
  ['dyn(self.list)[?dyn(1u)]', undefined],
  ['dyn(self.list)[dyn("a")]', "unsupported index type 'string' in list"],
  ['dyn(self.?map)[1]', undefined],
  ['"%s".format([dyn(self)])', 'error during formatting: could not find key: "nullable"'],
])('%s', (expression, expected) => {
  expect(outcome(expression)).toBe(expected)
})

it.each([
  'sets.contains(dyn(self.objects), [1])',
  'dyn(1) in dyn(self.objects)',
  'dyn(self.list) == dyn(1)',
])('cannot compare: %s', (expression) => {
  expect(outcome(expression)).toMatch(/^'no such overload'/)
})
