import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scheduleProblem } from '../../src/engine/kinds/batch/schedule'
import { countIndexes } from '../../src/engine/kinds/batch/success-policy'
import { isTimeZone } from '../../src/engine/schema/time-zone'

describe('schedules', () => {
  test.each([
    '* * * * *',
    '*/5 0-12/2 1,15 jan-MAR sun',
    '@daily',
    '@every 1h30m',
    '? ? ? * ?',
    '0 0 30 2 *',
    'TZ=UTC 0 0 * * *',
    '@every 0s',
  ])('accepts %s', (text) => expect(scheduleProblem(text)).toBeUndefined())
  test.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['0 0 * * 5-1', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ['@often', 'unrecognized descriptor: @often'],
    ['@YEARLY', 'unrecognized descriptor: @YEARLY'],
    ['@daily ', 'unrecognized descriptor: @daily '],
    ['@every ', 'failed to parse duration @every : time: invalid duration ""'],
    [' @daily', 'expected exactly 5 fields, found 1: [@daily]'],
    ['TZ=../UTC * * * * *', 'provided bad location ../UTC: time: invalid location name'],
    [
      `${2 ** 64} * * * *`,
      'failed to parse int from 18446744073709552000: strconv.Atoi: parsing "18446744073709552000": value out of range',
    ],
  ])('%s: %s', (text, problem) => expect(scheduleProblem(text)).toBe(problem))
  test('accepts numbers within their field, and rejects others', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), (minute) => {
        expect(scheduleProblem(`${minute} * * * *`) === undefined).toBe(minute < 60)
      }),
    )
  })
})

test.each([
  ['Europe/Berlin', true],
  ['EST', true],
  ['PST', false],
  ['SystemV/AST4', false],
  ['UTC', true],
  ['Etc/UTC', true],
  ['Local', true],
  ['europe/berlin', false],
  ['Mars/Base', false],
  ['UTC+2', false],
  ['../etc/passwd', false],
])('the time zone %s: %s', (name, known) => expect(isTimeZone(name)).toBe(known))

describe('indexes of a success policy', () => {
  test('are counted', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50), { minLength: 1 }), (indexes) => {
        const sorted = [...indexes].sort((a, b) => a - b)
        expect(countIndexes(sorted.join(','), 51)).toBe(sorted.length)
      }),
    )
    expect(countIndexes('0-4,7', 10)).toBe(6)
  })
  test.each([
    ['5-1,x', 2, 'too large index: "5"'],
    ['1,1', 5, 'non-increasing order, previous: 1, current: 1'],
    ['3,2-x', 5, 'cannot convert string to integer for index: "x"'],
    ['a', 5, 'cannot convert string to integer for index: "a"'],
  ])('%s of %d: %s', (text, completions, problem) =>
    expect(countIndexes(text, completions)).toBe(problem),
  )
})
