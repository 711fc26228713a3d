/** Of a long list only the rows in sight exist, and some beyond the edges. */
import { integer, property, assert as propertyHolds } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scrolledTo, spanInSight } from '../../src/app/components/rows-in-sight'

const top = integer({ min: 0, max: 2_000_000 })
const height = integer({ min: 1, max: 3_000 })
const rowHeight = integer({ min: 20, max: 60 })

describe('rows in sight', () => {
  it('are all there, wherever the list is scrolled, with some beyond both edges', () => {
    propertyHolds(
      property(top, height, rowHeight, (top, height, rowHeight) => {
        const { from, to } = spanInSight(top, height, rowHeight)
        expect(from * rowHeight).toBeLessThanOrEqual(Math.max(0, top - 10 * rowHeight))
        expect(to * rowHeight).toBeGreaterThanOrEqual(top + height + 10 * rowHeight)
      }),
    )
  })

  it('are as many as the window needs, however long the list is', () => {
    propertyHolds(
      property(top, height, rowHeight, (top, height, rowHeight) => {
        const { from, to } = spanInSight(top, height, rowHeight)
        expect(to - from).toBeLessThanOrEqual(height / rowHeight + 40)
      }),
    )
  })

  it('rarely change: scrolling by a row usually renders nothing', () => {
    const spans = new Set<string>()
    for (let row = 0; row < 600; row++) {
      const { from, to } = spanInSight(row * 27, 700, 27)
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
          const to = scrolledTo(index, top, height, rowHeight)
          expect(to).toBeLessThanOrEqual(index * rowHeight)
          expect(to + height).toBeGreaterThanOrEqual((index + 1) * rowHeight)
          const wasSeen = index * rowHeight >= top && (index + 1) * rowHeight <= top + height
          expect(to === top).toBe(wasSeen)
        },
      ),
    )
  })
})
