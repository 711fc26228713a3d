/** Integers beyond 2^53 and number literals, which JavaScript numbers do not preserve. */
import { expect, it } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'
import type { JsonObject } from '../../src/engine/core/object'
import { detailOf } from '../../src/engine/http/status'
import { SchemaRules } from '../../src/engine/kinds/apiextensions/rules/evaluate'
import { parseJson } from '../../src/engine/schema/json-parser'
import { recordNumberLiterals } from '../../src/engine/schema/number-literals'
import { changedTables } from '../support/release'

function read(text: string): JsonObject {
  const { value, details } = parseJson(text)
  recordNumberLiterals(details)
  return value as JsonObject
}

it.each([
  ['object.a', 9007199254740993n],
  ['object.b.c', -9223372036854775808n],
  ['object.list[1]', 9007199254740995n],
  ['object.list.map(x, x)[1] + 1', 9007199254740996n],
  ['object.float', 1000],
  ['type(object.float) == double', true],
  ['object.beyond', 2 ** 63],
  ['9007199254740993 in object.list', false],
  ['9007199254740995 in object.list', true],
  ['object.list == [1, 9007199254740995]', true],
  ['string(object.a)', '9007199254740993'],
])('%s', (text, expected) => {
  const object = read(
    '{"a":9007199254740993,"b":{"c":-9223372036854775808},"float":1e3,' +
      '"list":[1,9007199254740995],"beyond":9223372036854775808}',
  )
  const environment = serverEnvironment({ object: DYN }, { use: 'stored', strictCost: false })
  const { program } = compile(text, environment)
  const outcome = program?.evaluate(activationOf({ object: valueOfJson(object) }), { limit: 1000 })
  expect(outcome?.value).toBe(expected)
})

const INTEGER = { type: 'integer', format: 'int64' }

function messagesOf(schema: JsonObject, text: string, old?: string): string[] {
  const rules = SchemaRules.of({ type: 'object', properties: { spec: schema } })
  const { errors } = (rules as SchemaRules).evaluate(
    read(text),
    old === undefined ? old : read(old),
  )
  return errors.map(({ detail }) => detail.replace(/^Invalid value: "\w+": /, ''))
}

it.each([
  [INTEGER, '9007199254740993', 'self'],
  [{ type: 'array', items: INTEGER }, '[1,9007199254740993]', 'self[1]'],
  [{ type: 'object', properties: { a: INTEGER } }, '{"a":9007199254740993}', 'self.a'],
  [{ type: 'object', additionalProperties: INTEGER }, '{"a":9007199254740993}', "self['a']"],
])('rules get exact integers: %o', (schema, value, name) => {
  const rule = { rule: 'false', messageExpression: `'got ' + string(${name})` }
  const ruled = { ...schema, 'x-kubernetes-validations': [rule] }
  expect(messagesOf(ruled, `{"spec":${value}}`)).toEqual(['got 9007199254740993'])
})

it('rules compare exact integers with the old value', () => {
  const rule = { rule: 'self == oldSelf', message: 'changed' }
  const ruled = { ...INTEGER, 'x-kubernetes-validations': [rule] }
  const spec = (value: string) => `{"spec":${value}}`
  expect(messagesOf(ruled, spec('9007199254740993'), spec('9007199254740992'))).toEqual(['changed'])
  expect(messagesOf(ruled, spec('9007199254740993'), spec('9007199254740993'))).toEqual([])
})

it('a float is not an integer in a rule', () => {
  const ruled = { ...INTEGER, 'x-kubernetes-validations': [{ rule: 'self > 0' }] }
  expect(messagesOf(ruled, '{"spec":1e3}')).toEqual([
    'invalid data, expected int, got float64 evaluating rule: self > 0',
  ])
})

it('violations print exact integers since 1.35', () => {
  const ruled = { ...INTEGER, 'x-kubernetes-validations': [{ rule: 'false', message: 'why' }] }
  const rules = SchemaRules.of({ type: 'object', properties: { spec: ruled } })
  const [error] = rules?.evaluate(read('{"spec":9007199254740993}')).errors ?? []
  expect(error && detailOf(error, changedTables('1.35'))).toBe(
    'Invalid value: 9007199254740993: why',
  )
})
