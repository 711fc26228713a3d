/** Rules of custom resources, tried with values, and what they may cost. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import {
  inspectRule,
  RULE_LIMIT,
  type RulePlace,
  ruleCosts,
} from '../../src/engine/inspection/rule-expression'

const schema: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 10 },
    'with-dash': { type: 'integer' },
    items: { type: 'array', maxItems: 5, items: { type: 'string' } },
  },
}
const place: RulePlace = {
  schema,
  isRoot: false,
  optionalOldSelf: false,
  count: 1,
  wanted: 'bool',
  use: 'new',
}

describe('a rule', () => {
  it('sees values by their schema', () => {
    const { evaluate, parts } = inspectRule(
      'self.with__dash__dash == size(self.name) && !has(self.other)',
      place,
    )
    expect(parts).toEqual([])
    expect(evaluate).toThrow('has issues')
    const right = inspectRule('self.with__dash__dash == size(self.name)', place)
    expect(right.parts.find(({ text }) => text === 'self.with__dash__dash')?.typeText).toBe('int')
    expect(right.evaluate({ name: 'abc', 'with-dash': 3 })).toMatchObject({ value: true, cost: 6 })
  })

  it('reads the old object, as an optional value if the rule declares it optional', () => {
    expect(
      inspectRule('self.name == oldSelf.name', place).evaluate({ name: 'a' }, { name: 'b' }).value,
    ).toBe(false)
    const optional = inspectRule('!oldSelf.hasValue()', { ...place, optionalOldSelf: true })
    expect([optional.evaluate({}).value, optional.evaluate({}, {}).value]).toEqual([true, false])
  })

  it('has a most that it may cost, in one evaluation and in one object', () => {
    const { estimate } = inspectRule("self.items.all(i, i != 'x')", { ...place, count: 100 })
    const { once, inObject } = estimate() ?? { once: { max: 0 }, inObject: 0 }
    expect(inObject).toBe(once.max * 100)
    const unlimited = inspectRule('self.items.all(i, self.items.exists(j, i == j))', {
      ...place,
      schema: {
        type: 'object',
        properties: { items: { type: 'array', items: { type: 'string' } } },
      },
    })
    expect(unlimited.estimate()?.inObject).toBeGreaterThan(RULE_LIMIT)
  })

  it.each([
    ['duration', 3],
    ['date', 12],
    ['date-time', 21],
  ])('estimates as many texts of the format %s as fit into a request', (format, shortest) => {
    const list: JsonObject = { type: 'array', items: { type: 'string', format } }
    const { estimate } = inspectRule('self.all(item, true)', { ...place, schema: list })
    const most = Math.floor((3 * 1024 * 1024 - 2) / (shortest + 1))
    expect(estimate()?.once.max).toBe(2 + 3 * most)
  })

  it('must come to a truth, its message to a text', () => {
    expect(inspectRule('self.name', place).message).toBe('cel expression must evaluate to a bool')
    expect(inspectRule('true', { ...place, wanted: 'string' }).message).toBe(
      'messageExpression must evaluate to a string',
    )
  })
})

it('the costs of all rules of a schema are returned by their paths', () => {
  const inner: JsonObject = {
    type: 'string',
    maxLength: 4,
    'x-kubernetes-validations': [{ rule: "self != ''" }],
  }
  const outer: JsonObject = {
    type: 'object',
    properties: { list: { type: 'array', maxItems: 7, items: inner } },
    'x-kubernetes-validations': [{ rule: 'has(self.list)', messageExpression: "'a' + 'b'" }],
  }
  const costs = ruleCosts(outer, 'schema')
  expect(costs.map(({ path }) => path)).toEqual([
    'schema.properties[list].items.x-kubernetes-validations[0].rule',
    'schema.x-kubernetes-validations[0].rule',
    'schema.x-kubernetes-validations[0].messageExpression',
  ])
  expect(costs[0]?.cost).toBe(7 * 1)
})
