/** Counts in sentences: singular and plural. */
import { expect, it } from 'vitest'
import { countText, olderText } from '../../src/app/components/format'

it('counts one as one', () => {
  expect([0, 1, 2].map((number) => countText(number, 'event'))).toEqual([
    '0 events',
    '1 event',
    '2 events',
  ])
  expect([1, 2, 1200].map(olderText)).toEqual([
    '1 older one is',
    '2 older ones are',
    '1,200 older ones are',
  ])
})
