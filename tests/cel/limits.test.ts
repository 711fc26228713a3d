/** What ends an evaluation before it has come to something: steps, time and memory. */
import { describe, expect, it, vi } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'
import type { JsonObject } from '../../src/engine/object'

vi.setConfig({ testTimeout: 60_000 })

const MANY = 20_000
/** Milliseconds: what would go through everything for everything takes minutes. */
const LONG = 20_000
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

describe('an evaluation ends', () => {
  it.each([
    'object.map.all(a, object.map.all(b, a.size() + b.size() > 0))',
    'object.list.all(a, !object.list.exists(b, a + b == b))',
    'object.list.map(a, object.list.map(b, a)).size() > 0 || true',
    'object.list.all(a, object.list == object.list)',
  ])('at its last step, in or outside of what absorbs errors: %s', (text) => {
    const began = performance.now()
    expect(evaluated(text)).toMatchObject(EXCEEDED)
    // A million steps are tens of milliseconds; this only tells that nothing beside them goes through it all.
    expect(performance.now() - began).toBeLessThan(LONG)
  })

  it('before work is done whose steps are too many', () => {
    const began = performance.now()
    expect(
      evaluated('sets.equivalent(object.list, object.list)', { strictCost: true }),
    ).toMatchObject({
      ...EXCEEDED,
      cost: 1 + 2 * MANY ** 2 + 4,
    })
    expect(performance.now() - began).toBeLessThan(LONG)
  })

  it('when its time is up', () => {
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
  ])('before it has made more than there is room for, where steps do not tell: %s', (text) => {
    expect(evaluated(text)).toMatchObject(INTERRUPTED)
  })
})

describe('what goes through much is no slower for being asked often', () => {
  it.each([
    ['object.list.all(a, object.map.exists(k, true))', true],
    ["object.list.filter(a, a in object.list).size() == 20000 && !('x' in object.list)", true],
    [
      'sets.equivalent(object.list, object.list) && sets.intersects(object.list, object.list)',
      'operation cancelled: actual cost limit exceeded',
    ],
  ])('%s', (text, value) => {
    const began = performance.now()
    const outcome = evaluated(text)
    expect(outcome.error === undefined ? outcome.value : outcome.error).toBe(value)
    expect(performance.now() - began).toBeLessThan(LONG)
  })
})

it('`in` finds what is equal, whatever kind of number it is', () => {
  const list = valueOfJson({
    few: [1, 2.5, 'a', true, null],
    many: [...Array(100).keys(), 2.5, 'a'],
  })
  const ask = (text: string) => {
    const { program } = compile(
      text,
      serverEnvironment({ object: DYN }, { use: 'stored', strictCost: true }),
    )
    return program?.evaluate(activationOf({ object: list }), { limit: 1000 }).value
  }
  for (const where of ['few', 'many']) {
    for (const found of ['1', '1.0', '1u', '2.5', "'a'"])
      expect(ask(`${found} in object.${where}`)).toBe(true)
    for (const missing of ["'1'", '101', '1.5', "'b'", '9223372036854775807'])
      expect(ask(`${missing} in object.${where}`)).toBe(false)
  }
  expect(ask('null in object.few && true in object.few')).toBe(true)
  expect(ask('null in object.many || true in object.many')).toBe(false)
})
