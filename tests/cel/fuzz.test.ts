/** Any text ends with a value, an error or its budget. */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'
import type { Json } from '../../src/engine/core/object'

const environment = serverEnvironment({ object: DYN }, { use: 'stored', strictCost: true })
vi.setConfig({ testTimeout: 60_000 })

const LIMIT = 1000

const WORDS = [
  'object', 'x', '1', '-1', '2u', '1.5', "'a'", "b'a'", 'true', 'null', '[', ']', '{', '}', '(', ')', '.', '?', ':', ',', '+', '-', '*', '/',
  '%', '==', '<', '&&', '||', '!', 'in', '.a', '.size()', '.all(x, x)', '.map(x, x)', '.exists(x, x == 1)', 'has(object.a)', '[?0]', '.?a',
  ".matches('a')", 'duration("1s")', "quantity('1')", "'%s'.format([1])", 'optional.of(1)', '.orValue(1)', 'int(', 'string(', 'type(',
] // biome-ignore format: one table

const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      '1',
      '0',
      "'ab'",
      'true',
      'object',
      'object.a',
      'object.list',
      '[1, 2, 3]',
      "{'a': 1}",
      '1.5',
      '3u',
      "duration('1h')",
      'null',
    ),
    fc
      .tuple(
        tie('any'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in'),
        tie('any'),
      )
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    fc.tuple(tie('any'), tie('any'), tie('any')).map(([a, b, c]) => `(dyn(${a}) ? ${b} : ${c})`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a}).all(x, dyn(${b}))`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a}).map(x, [${b}, dyn(x)])`),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `dyn(${a})[dyn(${b})]`),
    tie('any').map((a) => `string(dyn(${a}))`),
    tie('any').map((a) => `dyn(${a}).size()`),
  ),
})).any

function outcome(text: string, object: Json) {
  const { program, issues } = compile(text, environment)
  if (program === undefined) return { issues }
  return program.evaluate(activationOf({ object: valueOfJson(object) }), { limit: LIMIT })
}

describe('any text', () => {
  it('is an expression or has errors', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }), (words) => {
        const result = outcome(words.join(' '), { a: 1 })
        if ('issues' in result) expect(result.issues).not.toBe('')
      }),
      { numRuns: 600 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void outcome(text, null)),
      { numRuns: 200 },
    )
  })

  it('is not too deep for the parser', () => {
    for (const text of [
      '('.repeat(5000),
      `${'['.repeat(249)}${']'.repeat(249)}`,
      `1${' + 1'.repeat(20_000)}`,
      `a${'.a'.repeat(20_000)}`,
      '!'.repeat(50_000),
    ]) {
      expect(() => outcome(text, null)).not.toThrow()
    }
  })
})

describe('any expression', () => {
  it('ends within its budget, with the same result each time', () => {
    fc.assert(
      fc.property(expression, fc.jsonValue({ maxDepth: 2 }), (text, list) => {
        const object = { a: 1, list: list as Json }
        const first = outcome(text, object)
        if ('issues' in first) return
        // The last step may exceed the budget: it is counted, and ends the evaluation.
        if (!first.exceeded) expect(first.cost).toBeLessThanOrEqual(LIMIT)
        else expect(first.error).toBe('operation cancelled: actual cost limit exceeded')
        const again = outcome(text, object)
        expect('issues' in again ? undefined : [again.cost, again.error]).toEqual([
          first.cost,
          first.error,
        ])
      }),
      { numRuns: 400 },
    )
  })
})
