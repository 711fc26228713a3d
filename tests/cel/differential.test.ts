/** Compares results with other CEL implementations, on the features of each. */
import { isCelError, isCelList, run as runOfBufbuild } from '@bufbuild/cel'
import { Environment as MarcbachmannEnvironment } from '@marcbachmann/cel-js'
import { evaluate as evaluateOfCelJs } from 'cel-js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { ListValue, MapValue, type Value } from '../../src/engine/cel/values/value'

const ours = serverEnvironment({}, { use: 'stored', strictCost: true })

function plain(value: Value | undefined): unknown {
  if (value instanceof ListValue) return [...value].map(plain)
  if (value instanceof MapValue)
    return Object.fromEntries(value.keys().map((key) => [String(key), plain(value.find(key))]))
  return value
}

function ownOutcome(text: string): unknown {
  const { program } = compile(text, ours)
  if (program === undefined) return 'error'
  const { value, error } = program.evaluate(activationOf({}), { limit: 1_000_000 })
  return error === undefined ? plain(value) : 'error'
}

/**
 * Another implementation: its result of an expression, `error` for any error, and the features that
 * it lacks.
 */
interface Other {
  evaluate(expression: string): unknown
  lacks?: RegExp
}

const marcbachmann = new MarcbachmannEnvironment()
const OTHERS: Record<string, Other> = {
  '@marcbachmann/cel-js': {
    evaluate(expression) {
      const value: unknown = marcbachmann.evaluate(expression)
      return value instanceof Map
        ? Object.fromEntries([...value].map(([key, member]) => [String(key), member]))
        : value
    },
  },
  '@bufbuild/cel': {
    evaluate(expression) {
      const value = runOfBufbuild(expression)
      if (isCelError(value)) throw value
      return isCelList(value) ? [...value] : value
    },
  },
  // It has one number type, no member functions and no macros on literals. In a list, a size
  // or an item has another type than a literal.
  'cel-js': {
    evaluate: (expression) => withWholeNumbers(evaluateOfCelJs(expression)),
    lacks: /[/%]|string\(|size\(|\.[a-z]|[\])]\[/,
  },
}

function withWholeNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withWholeNumbers)
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
}

function outcomeOf({ evaluate }: Other, expression: string): unknown {
  try {
    return evaluate(expression)
  } catch {
    return 'error'
  }
}

const { int, bool, text, list } = fc.letrec<{
  int: string
  bool: string
  text: string
  list: string
}>((tie) => ({
  int: fc.oneof(
    { depthSize: 'small' },
    fc.integer({ min: -20, max: 20 }).map(String),
    fc
      .tuple(tie('int'), fc.constantFrom('+', '-', '*', '/', '%'), tie('int'))
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    tie('text').map((a) => `${a}.size()`),
    tie('list').map((a) => `size(${a})`),
    fc.tuple(tie('bool'), tie('int'), tie('int')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
    fc.tuple(tie('list'), tie('int')).map(([a, b]) => `${a}[${b}]`),
  ),
  text: fc.oneof(
    { depthSize: 'small' },
    fc
      .string({ unit: fc.constantFrom('a', 'b', 'é', '🙂', ' '), maxLength: 4 })
      .map((value) => `'${value}'`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
    tie('int').map((a) => `string(${a})`),
  ),
  bool: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('true', 'false'),
    fc
      .tuple(tie('int'), fc.constantFrom('<', '<=', '==', '!=', '>', '>='), tie('int'))
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    fc
      .tuple(tie('text'), fc.constantFrom('<', '==', '>='), tie('text'))
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    fc
      .tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool'))
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    tie('bool').map((a) => `!${a}`),
    fc
      .tuple(tie('text'), fc.constantFrom('contains', 'startsWith', 'endsWith'), tie('text'))
      .map(([a, f, b]) => `${a}.${f}(${b})`),
    fc
      .tuple(tie('list'), fc.constantFrom('all', 'exists', 'exists_one'), tie('int'))
      .map(([a, f, b]) => `${a}.${f}(x, x < ${b})`),
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

it.each(Object.entries(OTHERS))(
  'has the same result as %s',
  (_name, other) => {
    fc.assert(
      fc.property(fc.oneof(int, bool, text, list), (expression) => {
        fc.pre(other.lacks === undefined || !other.lacks.test(expression))
        expect(ownOutcome(expression)).toEqual(outcomeOf(other, expression))
      }),
      { numRuns: 300 },
    )
  },
  60_000,
)
