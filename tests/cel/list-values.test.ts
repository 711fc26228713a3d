/** Lists with the list type set or map in rules, compared with their plain definition. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { equal } from '../../src/engine/cel/values/equality'
import { ListValue, type Value } from '../../src/engine/cel/values/value'
import type { Json } from '../../src/engine/core/object'
import { ruleValueOf } from '../../src/engine/kinds/apiextensions/rules/values'

const scalar = fc.constantFrom<Json>('a', 'b', '1', 1, 2, 1.5, true, null)
const setOf = (items: Json[]) =>
  ruleValueOf(
    {
      type: 'array',
      items: { 'x-kubernetes-int-or-string': true },
      'x-kubernetes-list-type': 'set',
    },
    items,
  ) as ListValue
const keyed = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } },
}
const item = fc.record(
  { k: fc.constantFrom('a', 'b', 'c'), v: fc.integer({ min: 0, max: 2 }) },
  { requiredKeys: [] },
)
const mapOf = (items: Json[]) => ruleValueOf(keyed, items) as ListValue

const shown = (value: Value): unknown =>
  value instanceof ListValue ? [...value].map(shown) : value
const has = (list: ListValue, value: Value) => [...list].some((one) => equal(one, value))

it('a set equals another in any order, and adds only new items', () => {
  fc.assert(
    fc.property(
      fc.array(scalar, { maxLength: 5 }),
      fc.array(scalar, { maxLength: 5 }),
      (first, second) => {
        const [a, b] = [setOf(first), setOf(second)]
        expect(equal(a, b)).toBe(a.size === b.size && [...b].every((value) => has(a, value)))
        expect(shown(a.plus?.(b, equal) as Value)).toEqual(
          [...a, ...[...b].filter((value) => !has(a, value))].map(shown),
        )
      },
    ),
  )
})

it('a map compares items by key, and replaces items with an existing key', () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 4 }),
      fc.array(item, { maxLength: 4 }),
      (first, second) => {
        const [a, b] = [mapOf(first as Json[]), mapOf(second as Json[])]
        const placeOf = (one: { k?: string | undefined }) =>
          first.findLastIndex(({ k }) => k === one.k)
        const isLike = (index: number) => {
          const place = placeOf(second[index] as object)
          return place >= 0 && equal(a.at(place), b.at(index))
        }
        expect(equal(a, b)).toBe(a.size === b.size && second.every((_, index) => isLike(index)))
        const joined = [...first]
        for (const one of second) {
          const place = placeOf(one)
          if (place < 0) joined.push(one)
          else joined[place] = one
        }
        const sum = a.plus?.(b, equal) as ListValue
        expect(
          [...sum].map((value, index) => equal(value, mapOf([joined[index] as Json]).at(0))),
        ).toEqual(joined.map(() => true))
      },
    ),
  )
})

it('a reserved key name is found in no item, so all items have the same key', () => {
  const reserved = { ...keyed, 'x-kubernetes-list-map-keys': ['namespace'] }
  const list = (...items: Json[]) => ruleValueOf(reserved, items) as ListValue
  expect(equal(list({ namespace: 'a' }), list({ namespace: 'a' }))).toBe(true)
  expect(
    equal(
      list({ namespace: 'a' }, { namespace: 'b' }),
      list({ namespace: 'a' }, { namespace: 'b' }),
    ),
  ).toBe(false)
  const sum = list({ v: 1 }, { v: 2 }).plus?.(list({ v: 3 }), equal) as ListValue
  expect(equal(sum, list({ v: 1 }, { v: 3 }))).toBe(false)
  expect(sum.size).toBe(2)
})

it('a list or map that contains null equals nothing, not even itself', () => {
  const object = { type: 'object', properties: { name: { type: 'string', nullable: true } } }
  const value = ruleValueOf(object, { name: null })
  expect(equal(value, value)).toBe(false)
  const whole = ruleValueOf(object, { name: 'a' })
  expect(equal(whole, whole)).toBe(true)
})
