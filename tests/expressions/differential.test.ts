/** Against another implementation of the language, on what both understand. */
import { Environment as OtherEnvironment } from '@marcbachmann/cel-js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compile } from '../../src/engine/expressions/compile'
import { activationOf } from '../../src/engine/expressions/evaluation/frame'
import { serverEnvironment } from '../../src/engine/expressions/server-environment'
import { ListValue, MapValue, type Value } from '../../src/engine/expressions/values/value'

const ours = serverEnvironment({}, { use: 'stored', strictCost: true })
const other = new OtherEnvironment()

function plain(value: Value | undefined): unknown {
  if (value instanceof ListValue) return [...value].map(plain)
  if (value instanceof MapValue) return Object.fromEntries(value.keys().map((key) => [String(key), plain(value.find(key))]))
  return value
}

function outcomeOfOurs(text: string): unknown {
  const { program } = compile(text, ours)
  if (program === undefined) return 'error'
  const { value, error } = program.evaluate(activationOf({}), { limit: 1_000_000 })
  return error === undefined ? plain(value) : 'error'
}

function outcomeOfTheOther(text: string): unknown {
  try {
    const value: unknown = other.evaluate(text)
    return value instanceof Map ? Object.fromEntries([...value].map(([key, member]) => [String(key), member])) : value
  } catch {
    return 'error'
  }
}

const { int, bool, text, list } = fc.letrec<{ int: string; bool: string; text: string; list: string }>((tie) => ({
  int: fc.oneof(
    { depthSize: 'small' },
    fc.integer({ min: -20, max: 20 }).map(String),
    fc.tuple(tie('int'), fc.constantFrom('+', '-', '*', '/', '%'), tie('int')).map(([a, o, b]) => `(${a} ${o} ${b})`),
    tie('text').map((a) => `${a}.size()`),
    tie('list').map((a) => `size(${a})`),
    fc.tuple(tie('bool'), tie('int'), tie('int')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
    fc.tuple(tie('list'), tie('int')).map(([a, b]) => `${a}[${b}]`),
  ),
  text: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂', ' '), maxLength: 4 }).map((value) => `'${value}'`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
    tie('int').map((a) => `string(${a})`),
  ),
  bool: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('true', 'false'),
    fc.tuple(tie('int'), fc.constantFrom('<', '<=', '==', '!=', '>', '>='), tie('int')).map(([a, o, b]) => `(${a} ${o} ${b})`),
    fc.tuple(tie('text'), fc.constantFrom('<', '==', '>='), tie('text')).map(([a, o, b]) => `(${a} ${o} ${b})`),
    fc.tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool')).map(([a, o, b]) => `(${a} ${o} ${b})`),
    tie('bool').map((a) => `!${a}`),
    fc.tuple(tie('text'), fc.constantFrom('contains', 'startsWith', 'endsWith'), tie('text')).map(([a, f, b]) => `${a}.${f}(${b})`),
    fc.tuple(tie('list'), fc.constantFrom('all', 'exists', 'exists_one'), tie('int')).map(([a, f, b]) => `${a}.${f}(x, x < ${b})`),
    fc.tuple(tie('int'), tie('list')).map(([a, b]) => `(${a} in ${b})`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} == ${b})`),
  ),
  list: fc.oneof(
    { depthSize: 'small' },
    fc.array(tie('int'), { minLength: 1, maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
    tie('list').map((a) => `${a}.map(x, x + 1)`),
    tie('list').map((a) => `${a}.filter(x, x > 0)`),
  ),
}))

it('comes to the same', () => {
  fc.assert(
    fc.property(fc.oneof(int, bool, text, list), (expression) => {
      expect(outcomeOfOurs(expression)).toEqual(outcomeOfTheOther(expression))
    }),
    { numRuns: 500 },
  )
}, 60_000)
