/** Inspection of expressions: the place, value and cost of each part. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { inspect } from '../../src/engine/cel/inspection/inspect'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'

const environment = serverEnvironment(
  { object: DYN, limit: DYN },
  { use: 'stored', strictCost: true },
)
const values = activationOf({
  object: valueOfJson({ spec: { replicas: 3, names: ['a', 'b'] } }),
  limit: valueOfJson(5),
})

/** Returns by the text of each part: its values, how often it ran, and its own cost. */
function outcomes(text: string) {
  const inspection = inspect(text, environment)
  expect(inspection.message).toBeUndefined()
  const { parts, cost } = inspection.evaluate(values, 1_000_000)
  return {
    cost,
    parts: parts.map(({ id, values, evaluations, ownCost }) => [
      inspection.parts[id]?.text,
      values,
      evaluations,
      ownCost,
    ]),
  }
}

describe('the parts of an expression', () => {
  it('have their place in the text, without parentheses', () => {
    const { parts } = inspect(
      "(object.spec.replicas + 1) <= limit || '🙂' in object.?spec[0]",
      environment,
    )
    expect(parts.map(({ text, typeText, parent }) => [text, typeText, parent])).toEqual([
      ["(object.spec.replicas + 1) <= limit || '🙂' in object.?spec[0]", 'bool', undefined],
      ['(object.spec.replicas + 1) <= limit', 'bool', 0],
      ['object.spec.replicas + 1', 'int', 1],
      ['object.spec.replicas', 'dyn', 2],
      ['object.spec', 'dyn', 3],
      ['object', 'dyn', 4],
      ['1', 'int', 2],
      ['limit', 'dyn', 1],
      ["'🙂' in object.?spec[0]", 'bool', 0],
      ["'🙂'", 'string', 8],
      ['object.?spec[0]', 'dyn', 8],
      ['object.?spec', 'optional_type(dyn)', 10],
      ['object', 'dyn', 11],
      ['0', 'int', 10],
    ])
  })

  it('have a cost each, and the sum is the total', () => {
    expect(outcomes('object.spec.replicas <= limit')).toEqual({
      cost: 5,
      parts: [
        ['object.spec.replicas <= limit', [true], 1, 1],
        ['object.spec.replicas', [3n], 1, 1],
        ['object.spec', [expect.anything()], 1, 1],
        ['object', [expect.anything()], 1, 1],
        ['limit', [5n], 1, 1],
      ],
    })
  })

  it('run once per iteration, and not after a short circuit', () => {
    expect(outcomes("object.spec.names.all(n, n != 'c') || limit == 1").parts).toEqual([
      ["object.spec.names.all(n, n != 'c') || limit == 1", [true], 1, 0],
      ["object.spec.names.all(n, n != 'c')", [true], 1, 7],
      ['object.spec.names', [expect.anything()], 1, 1],
      ['object.spec', [expect.anything()], 1, 1],
      ['object', [expect.anything()], 1, 1],
      ["n != 'c'", [true, true], 2, 2],
      ['n', ['a', 'b'], 2, 2],
      ["'c'", ['c', 'c'], 2, 0],
      ['limit == 1', [], 0, 0],
      ['limit', [], 0, 0],
      ['1', [1n], 0, 0],
    ])
  })
})

const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      '1',
      "'ab'",
      'object.spec',
      'object.spec.names',
      '[1, 2]',
      'limit',
      'has(object.spec)',
      'object.?none',
    ),
    fc
      .tuple(tie('any'), fc.constantFrom('+', '==', '<', '&&', '||', 'in'), tie('any'))
      .map(([a, o, b]) => `(dyn(${a}) ${o} dyn(${b}))`),
    fc.tuple(tie('any'), tie('any'), tie('any')).map(([a, b, c]) => `(dyn(${a}) ? ${b} : ${c})`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a}).all(x, dyn(${b}))`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a}).exists(x, dyn(${b}))`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a}).exists_one(x, dyn(${b}))`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a}).map(x, [${b}, dyn(x)])`),
    fc
      .tuple(tie('any'), tie('any'), tie('any'))
      .map(([a, b, c]) => `dyn(${a}).map(x, dyn(${b}), dyn(${c}))`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a}).filter(x, dyn(${b}) != x)`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a}).filter(x, dyn(${b}))`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a})[dyn(${b})]`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `optional.of(dyn(${a})).optMap(x, ${b})`),
  ),
})).any

it('the costs of all parts add up to the total, which inspection does not change', () => {
  fc.assert(
    fc.property(expression, (text) => {
      const { program, evaluate } = inspect(text, environment)
      if (program === undefined) return
      const { parts, cost, error } = evaluate(values, 10_000)
      expect(parts.reduce((sum, { ownCost }) => sum + ownCost, 0)).toBe(cost)
      const plain = program.evaluate(values, { limit: 10_000 })
      expect([cost, error]).toEqual([plain.cost, plain.error])
    }),
    { numRuns: 300 },
  )
}, 60_000)

it.each([
  ['object.spec +', 13, 13],
  ['limit == missing.field', 9, 16],
  ["'a' + 1", 4, 5],
  ["'🙂' + nothing", 7, 14],
])('issues have their place: %s', (text, start, end) => {
  const { issues, message, program, parts } = inspect(text, environment)
  expect(program).toBeUndefined()
  expect(parts).toEqual([])
  expect(message).toContain('ERROR: <input>:1:')
  expect(issues[0]).toMatchObject({ start, end })
})
