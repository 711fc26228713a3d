/** The runtime cost of expressions (github.com/google/cel-go, interpreter/runtimecost.go). */
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN, INT, listOf, STRING } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'

const variables = { object: DYN, list: listOf(INT), text: STRING }
const values = activationOf({
  object: valueOfJson({ a: { b: 1 }, items: [1, 2, 3] }),
  list: valueOfJson([1, 2, 3, 4, 5]),
  text: 'x'.repeat(25),
})

function costOf(text: string, strictCost = true): number {
  const { program, issues } = compile(
    text,
    serverEnvironment(variables, { use: 'stored', strictCost }),
  )
  if (program === undefined) throw new Error(issues)
  const { cost, error } = program.evaluate(values, { limit: 1_000_000 })
  expect(error).toBeUndefined()
  return cost
}

describe('the cost of an expression', () => {
  it.each([
    ['1', 0],
    ['list', 1],
    ['object.a.b', 3],
    ["object['a'].b", 3],
    ['list[list[0]]', 3],
    ['has(object.a.b)', 2],
    ['object.?a.?b.hasValue()', 4],
    ['object.?x.hasValue()', 2],
    ['object.?x.y.z.hasValue()', 2],
    ["object[?'x'][object.a.b].hasValue()", 2],
    ['object.?a[object.items[0]].hasValue()', 5],
    ['optional.of(1).or(optional.of(list[9])).hasValue()', 2],
    ['optional.none().orValue(list[0]) == 1', 4],
  ])('names, fields and indices: %s', (text, cost) => expect(costOf(text)).toBe(cost))

  it.each([
    ['true && list.size() == 5', 3],
    ['true ? list : [1]', 0],
    ['(true ? object.a : object).b == 1', 3],
    ['[1, 2, 3]', 0],
    ['[1, list[0]]', 12],
    ["{'a': list}", 31],
    ['2 in [1, 2, 3]', 0],
    ['2 in list', 6],
    ["int('1') == 1", 1],
  ])('operators and literals: %s', (text, cost) => expect(costOf(text)).toBe(cost))

  it.each([
    ['list.all(x, x > 0)', 1 + 5 * 5 + 1],
    ['list.exists(x, x == 1)', 1 + 3 + 3 + 3 + 1],
    ['[1, 2, 3, 4, 5].filter(x, x % 2 == 0)', 5 * 3 + 2 * 13 + 1],
    ['[1, 2, 3].map(x, x)', 3 * 13 + 1],
  ])('comprehensions: %s', (text, cost) => expect(costOf(text)).toBe(cost))

  it.each([
    ["text == 'abcdefghijklmno'", 1 + 2],
    ["text + 'abc'", 1 + 3],
    ["text.contains('abcdefghijk')", 1 + 3 * 2],
    ["text.startsWith('x')", 1 + 3],
    ["text.matches('[a-z]+')", 1 + 3 * 2],
  ])('functions that scan strings: %s', (text, cost) => expect(costOf(text)).toBe(cost))

  it.each([
    ['text.upperAscii()', 1 + 3, 1 + 1],
    ["text.split('')", 1 + 5, 1 + 1],
    ["text.find('x+')", 1 + 3 * 1, 1 + 1],
    ['list.sum()', 1 + 5, 1 + 1],
    ['sets.contains(list, list)', 2 + 26, 2 + 26],
    ["quantity('1.5Gi').isInteger()", 2, 2],
  ])('library functions with and without a cost: %s', (text, strict, lax) => {
    expect([costOf(text), costOf(text, false)]).toEqual([strict, lax])
  })
})
