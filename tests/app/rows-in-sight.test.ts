/** Of a long list only the rows in sight exist, and some beyond the edges. */
import { array, integer, property, assert as propertyHolds } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalRows, indexOfKey, measuredRows } from '../../src/app/components/row-layout'
import { scrolledTo, spanInSight } from '../../src/app/components/rows-in-sight'

const endless = (rowHeight: number) => equalRows(10_000_000, rowHeight)
const top = integer({ min: 0, max: 2_000_000 })
const height = integer({ min: 1, max: 3_000 })
const rowHeight = integer({ min: 20, max: 60 })

describe('rows in sight', () => {
  it('are all there, wherever the list is scrolled, with some beyond both edges', () => {
    propertyHolds(
      property(top, height, rowHeight, (top, height, rowHeight) => {
        const { from, to } = spanInSight(top, height, endless(rowHeight))
        expect(from * rowHeight).toBeLessThanOrEqual(Math.max(0, top - 10 * rowHeight))
        expect(to * rowHeight).toBeGreaterThanOrEqual(top + height + 10 * rowHeight)
      }),
    )
  })

  it('are as many as the window needs, however long the list is', () => {
    propertyHolds(
      property(top, height, rowHeight, (top, height, rowHeight) => {
        const { from, to } = spanInSight(top, height, endless(rowHeight))
        expect(to - from).toBeLessThanOrEqual(height / rowHeight + 40)
      }),
    )
  })

  it('rarely change: scrolling by a row usually renders nothing', () => {
    const spans = new Set<string>()
    for (let row = 0; row < 600; row++) {
      const { from, to } = spanInSight(row * 27, 700, endless(27))
      spans.add(`${from} ${to}`)
    }
    expect(spans.size).toBeLessThanOrEqual(201)
  })
})

describe('scrolling to a row', () => {
  it('brings it into sight, and moves no further than it must', () => {
    propertyHolds(
      property(
        integer({ min: 0, max: 20_000 }),
        top,
        integer({ min: 60, max: 3_000 }),
        rowHeight,
        (index, top, height, rowHeight) => {
          const to = scrolledTo(index, top, height, endless(rowHeight))
          expect(to).toBeLessThanOrEqual(index * rowHeight)
          expect(to + height).toBeGreaterThanOrEqual((index + 1) * rowHeight)
          const wasSeen = index * rowHeight >= top && (index + 1) * rowHeight <= top + height
          expect(to === top).toBe(wasSeen)
        },
      ),
    )
  })
})

describe('rows of different heights', () => {
  const heights = array(integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 60 })

  it('follow each other, and each is found at every one of its pixels', () => {
    propertyHolds(
      property(heights, (heights) => {
        const keys = heights.map((_, index) => index)
        const layout = measuredRows(keys, new Map(heights.entries()), 1)
        for (const index of keys)
          expect(layout.topOf(index + 1) - layout.topOf(index)).toBe(heights[index])
        expect(layout.height).toBe(layout.topOf(heights.length))
        for (const index of keys)
          expect([layout.topOf(index), layout.topOf(index + 1) - 1].map(layout.indexAt)).toEqual([
            index,
            index,
          ])
      }),
    )
  })

  it('have the estimated height until they are measured', () => {
    const layout = measuredRows(['a', 'b', 'c'], new Map([['b', 90]]), 30)
    expect([0, 1, 2, 3].map(layout.topOf)).toEqual([0, 30, 120, 150])
  })
})

describe('the first visible row', () => {
  it('is found again after rows were inserted or removed above it', () => {
    propertyHolds(
      property(
        array(integer({ min: 0, max: 50 }), { maxLength: 40 }),
        array(integer({ min: 51, max: 90 }), { maxLength: 40 }),
        integer({ min: 0, max: 90 }),
        (above, below, was) => {
          const keys = [...new Set(above), 100, ...new Set(below)]
          const place = indexOfKey((index) => keys[index] as number, keys.length, 100, was)
          expect(place).toBe(keys.indexOf(100))
        },
      ),
    )
  })

  it('is absent if a filter hides it', () => {
    expect(indexOfKey((index) => index, 5, 9, 2)).toBeUndefined()
  })
})
