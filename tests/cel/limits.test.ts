/** The limits of an evaluation: cost, time and memory. */
import { describe, expect, it, vi } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'
import type { JsonObject } from '../../src/engine/core/object'

vi.setConfig({ testTimeout: 60_000 })

/** Quadratic work takes longer than a test may. */
const MANY = 20_000
const object: JsonObject = {
  map: Object.fromEntries(
    Array.from({ length: MANY }, (_, index) => [`key-${index}`, 'v'.repeat(35)]),
  ),
  list: Array.from({ length: MANY }, (_, index) => `item ${index}`),
  text: 'x'.repeat(1_000_000),
}

function evaluated(
  text: string,
  { strictCost = false, isOver }: { strictCost?: boolean; isOver?: () => boolean } = {},
) {
  const { program, issues } = compile(
    text,
    serverEnvironment({ object: DYN }, { use: 'stored', strictCost }),
  )
  if (program === undefined) throw new Error(issues)
  return program.evaluate(activationOf({ object: valueOfJson(object) }), {
    limit: 1_000_000,
    isOver,
  })
}

const EXCEEDED = { exceeded: true, error: 'operation cancelled: actual cost limit exceeded' }
const INTERRUPTED = { exceeded: true, error: 'operation interrupted', value: undefined }

describe('an evaluation stops', () => {
  it.each([
    'object.map.all(a, object.map.all(b, a.size() + b.size() > 0))',
    'object.list.all(a, !object.list.exists(b, a + b == b))',
    'object.list.map(a, object.list.map(b, a)).size() > 0 || true',
    'object.list.all(a, object.list == object.list)',
  ])('at its cost limit, inside and outside of operators that ignore errors: %s', (text) => {
    expect(evaluated(text)).toMatchObject(EXCEEDED)
  })

  it('before an operation whose cost is too high', () => {
    expect(
      evaluated('sets.equivalent(object.list, object.list)', { strictCost: true }),
    ).toMatchObject({
      ...EXCEEDED,
      cost: 1 + 2 * MANY ** 2 + 4,
    })
  })

  it('at its deadline', () => {
    let looks = 0
    expect(
      evaluated('object.list.all(a, a.size() > 0)', { isOver: () => ++looks > 3 }),
    ).toMatchObject(INTERRUPTED)
    expect(evaluated('object.list.all(a, a.size() > 0)', { isOver: () => false })).toMatchObject({
      value: true,
      exceeded: false,
    })
  })

  it.each([
    'object.list.map(a, object.text + a).size()',
    "object.list.map(a, object.text.replace('x', 'xxxx')).size()",
    "object.list.all(a, object.text.split('').size() > 0)",
  ])('before its values fill the memory, where cost does not limit them: %s', (text) => {
    expect(evaluated(text)).toMatchObject(INTERRUPTED)
  })
})

describe('repeated scans are not quadratic', () => {
  it.each([
    ['object.list.all(a, object.map.exists(k, true))', true],
    ["object.list.filter(a, a in object.list).size() == 20000 && !('x' in object.list)", true],
    [
      'sets.equivalent(object.list, object.list) && sets.intersects(object.list, object.list)',
      'operation cancelled: actual cost limit exceeded',
    ],
  ])('%s', (text, value) => {
    const outcome = evaluated(text)
    expect(outcome.error === undefined ? outcome.value : outcome.error).toBe(value)
  })
})

it('`in` compares numbers across types', () => {
  const list = valueOfJson({
    few: [1, 2.5, 'a', true, null],
    many: [...Array(100).keys(), 2.5, 'a'],
  })
  const evaluateIn = (text: string) => {
    const { program } = compile(
      text,
      serverEnvironment({ object: DYN }, { use: 'stored', strictCost: true }),
    )
    return program?.evaluate(activationOf({ object: list }), { limit: 1000 }).value
  }
  for (const where of ['few', 'many']) {
    for (const found of ['1', '1.0', '1u', '2.5', "'a'"])
      expect(evaluateIn(`${found} in object.${where}`)).toBe(true)
    for (const missing of ["'1'", '101', '1.5', "'b'", '9223372036854775807'])
      expect(evaluateIn(`${missing} in object.${where}`)).toBe(false)
  }
  expect(evaluateIn('null in object.few && true in object.few')).toBe(true)
  expect(evaluateIn('null in object.many || true in object.many')).toBe(false)
})
