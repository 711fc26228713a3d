/** Who asks again and again for the last of many things is told each one once, and notices when some were missed. */
import { array, constantFrom, property, assert as propertyHolds } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LastItems } from '../../src/hosts/shared/last-items'

const MOST = 5

describe('the last items', () => {
  it('are told once to who names the place where the last answer ended', () => {
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

  it('are told again to who comes from another list, or from before it was cleared', () => {
    const [list, other] = [new LastItems<string>(MOST), new LastItems<string>(MOST)]
    for (const one of [list, other]) one.add('a')
    expect(list.after(other.after().place)).toMatchObject({ items: ['a'], continues: false })
    const { place } = list.after()
    list.clear()
    list.add('b')
    expect(list.after(place)).toMatchObject({ items: ['b'], continues: false })
    expect(list.after('nonsense')).toMatchObject({ items: ['b'], continues: false })
  })

  it('are what a naive reader would have, as long as nothing was missed, and the last few otherwise', () => {
    propertyHolds(
      property(array(constantFrom('add', 'add', 'add', 'ask', 'clear')), (steps) => {
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
            const told = list.after(place)
            read = told.continues ? [...read, ...told.items] : told.items
            place = told.place
            expect(told.items.length).toBeLessThanOrEqual(MOST)
            expect(read).toEqual(all.slice(all.length - read.length))
            expect(read.length).toBeGreaterThanOrEqual(Math.min(all.length, MOST))
          }
        }
      }),
    )
  })
})
