/** Sets of completion indexes, checked against a naive set of numbers. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndexSet } from '../../src/engine/controllers/job/indexes'

const text = fc
  .array(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 5 })), { maxLength: 6 })
  .map((runs) =>
    runs.map(([first, more]) => (more === 0 ? `${first}` : `${first}-${first + more}`)).join(','),
  )

function naive(written: string, below: number): Set<number> {
  const found = new Set<number>()
  for (const part of written.split(',').filter((run) => run !== '')) {
    const [first = 0, last = first] = part.split('-').map(Number)
    for (let index = first; index <= last && index < below; index++) found.add(index)
  }
  return found
}

describe('a set of completion indexes', () => {
  it('parses its text, counts its indexes, and finds free ones', () => {
    fc.assert(
      fc.property(
        text,
        fc.nat({ max: 40 }),
        fc.array(fc.nat({ max: 40 })),
        (written, below, added) => {
          const [set, model] = [IndexSet.parse(written, below), naive(written, below)]
          for (const index of added) {
            set.add(index)
            model.add(index)
          }
          expect(set.size).toBe(model.size)
          for (let index = 0; index <= 50; index++) {
            expect(set.has(index)).toBe(model.has(index))
            let free = index
            while (model.has(free)) free++
            expect(set.free(index)).toBe(free)
          }
          expect(naive(set.toString(), 100)).toEqual(model)
        },
      ),
    )
  })

  it('counts the intersection with another set', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const common = [...naive(one, 100)].filter((index) => naive(other, 100).has(index)).length
        expect(IndexSet.parse(one).countCommon(IndexSet.parse(other))).toBe(common)
      }),
    )
  })

  it('formats two consecutive indexes separately, and more as a range', () => {
    expect(IndexSet.parse('5,1-2,7-9,10').toString()).toBe('1,2,5,7-10')
  })

  it('holds all indexes of the largest Job', () => {
    const set = IndexSet.parse('0-2147483646', 2147483647)
    set.add(2147483646)
    expect(set.size).toBe(2147483647)
    expect(set.free(0)).toBe(2147483647)
    expect(set.toString()).toBe('0-2147483646')
  })
})
