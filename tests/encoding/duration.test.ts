import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { humanDuration, since } from '../../src/engine/encoding/duration'

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]

describe('how long something lasted', () => {
  test.each([
    [-5 * SECOND, '<invalid>'],
    [-2 * SECOND, '<invalid>'],
    [-1 * SECOND, '0s'],
    [0, '0s'],
    [1999, '1s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + 5 * SECOND, '2m5s'],
    [10 * MINUTE - 1, '9m59s'],
    [10 * MINUTE + 59 * SECOND, '10m'],
    [3 * HOUR - 1, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [8 * HOUR + 59 * MINUTE, '8h'],
    [2 * DAY - 1, '47h'],
    [2 * DAY, '2d'],
    [7 * DAY + 23 * HOUR, '7d23h'],
    [8 * DAY + 23 * HOUR, '8d'],
    [729 * DAY, '729d'],
    [730 * DAY, '2y'],
    [7 * 365 * DAY + 364 * DAY, '7y364d'],
    [8 * 365 * DAY + 300 * DAY, '8y'],
  ])('%i ms: %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text)
  })
  test('has at most two units, and six characters below eight years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 * 365 * DAY - 1 }), (milliseconds) => {
        expect(humanDuration(milliseconds)).toMatch(/^\d+[smhdy](\d+[smhd])?$/)
        expect(humanDuration(milliseconds).length).toBeLessThanOrEqual(6)
      }),
    )
  })
  test('an unset time has the age <unknown>', () => {
    expect([since(undefined, 0), since(null, 0), since('1970-01-01T00:00:00Z', 5000)]).toEqual([
      '<unknown>',
      '<unknown>',
      '5s',
    ])
  })
})
