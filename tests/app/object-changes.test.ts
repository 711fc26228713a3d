/** The difference between two states of an object, field by field. */
import { jsonValue, property, assert as propertyHolds } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../src/app/features/objects/changes'
import type { Json } from '../../src/engine/core/object'

const paths = (before: Json, after: Json): string[] =>
  changesBetween(before, after).map(({ path }) => path)

describe('changes between two states', () => {
  it('names the smallest part that differs, with what was and what is', () => {
    expect(
      changesBetween({ spec: { replicas: 3, paused: true } }, { spec: { replicas: 5 } }),
    ).toEqual([
      { path: '.spec.replicas', before: 3, after: 5, bookkeeping: false },
      { path: '.spec.paused', before: true, after: undefined, bookkeeping: false },
    ])
  })

  it('matches items of lists by their names, in any order', () => {
    const before = {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'y' },
      ],
    }
    const after = {
      containers: [
        { name: 'b', image: 'z' },
        { name: 'a', image: 'x' },
      ],
    }
    expect(paths(before, after)).toEqual(['.containers[name=b].image'])
  })

  it('compares a list of plain values as a whole, and items without a key by their index', () => {
    expect(paths({ args: ['a', 'b'] }, { args: ['b'] })).toEqual(['.args'])
    expect(paths({ rules: [{ verbs: ['get'] }] }, { rules: [{ verbs: ['list'] }] })).toEqual([
      '.rules[0].verbs',
    ])
  })

  it('quotes members with special characters', () => {
    expect(paths({ labels: { 'a/b': '1' } }, { labels: { 'a/b': '2' } })).toEqual([
      '.labels["a/b"]',
    ])
  })

  it('puts what the server keeps for itself last, undivided', () => {
    const before = {
      metadata: { resourceVersion: '1', managedFields: [{ manager: 'a' }] },
      data: { k: 'a' },
    }
    const after = {
      metadata: { resourceVersion: '2', managedFields: [{ manager: 'b' }] },
      data: { k: 'b' },
    }
    expect(paths(before, after)).toEqual([
      '.data.k',
      '.metadata.resourceVersion',
      '.metadata.managedFields',
    ])
  })

  it('finds nothing exactly when both are the same', () => {
    const json = jsonValue({ noUnicodeString: false } as never)
    propertyHolds(
      property(json, json, (before, after) => {
        expect(changesBetween(before as Json, structuredClone(before) as Json)).toEqual([])
        const same =
          JSON.stringify(sorted(before as Json)) === JSON.stringify(sorted(after as Json))
        expect(changesBetween(before as Json, after as Json).length === 0).toBe(same)
      }),
    )
  })
})

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] as Json)]),
  )
}
