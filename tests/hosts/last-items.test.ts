/** A poller of the latest items gets each item once, and detects missed items. */
import { array, constantFrom, property, assert as propertyHolds } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LastItems } from '../../src/hosts/shared/last-items'

const MOST = 5

describe('the last items', () => {
  it('are returned once for the cursor of the previous response', () => {
    const list = new LastItems<string>(MOST)
    list.add('a')
    const first = list.after()
    expect(first).toMatchObject({ items: ['a'], continues: false })
    expect(list.after(first.place)).toEqual({ items: [], place: first.place, continues: true })
    list.add('b')
    list.add('c')
    expect(list.after(first.place)).toMatchObject({ items: ['b', 'c'], continues: true })
    expect(list.after()).toMatchObject({ items: ['a', 'b', 'c'], continues: false })
  })

  it('are returned again for a cursor of another list, or from before a clear', () => {
    const [list, other] = [new LastItems<string>(MOST), new LastItems<string>(MOST)]
    for (const one of [list, other]) one.add('a')
    expect(list.after(other.after().place)).toMatchObject({ items: ['a'], continues: false })
    const { place } = list.after()
    list.clear()
    list.add('b')
    expect(list.after(place)).toMatchObject({ items: ['b'], continues: false })
    expect(list.after('nonsense')).toMatchObject({ items: ['b'], continues: false })
  })

  it('match a naive reader while none was missed, and the latest few otherwise', () => {
    propertyHolds(
      property(array(constantFrom('add', 'add', 'add', 'read', 'clear')), (steps) => {
        const list = new LastItems<number>(MOST)
        let all: number[] = []
        let read: number[] = []
        let place: string | undefined
        for (const [at, step] of steps.entries()) {
          if (step === 'add') {
            list.add(at)
            all.push(at)
          } else if (step === 'clear') {
            list.clear()
            all = []
          } else {
            const reported = list.after(place)
            read = reported.continues ? [...read, ...reported.items] : reported.items
            place = reported.place
            expect(reported.items.length).toBeLessThanOrEqual(MOST)
            expect(read).toEqual(all.slice(all.length - read.length))
            expect(read.length).toBeGreaterThanOrEqual(Math.min(all.length, MOST))
          }
        }
      }),
    )
  })
})
