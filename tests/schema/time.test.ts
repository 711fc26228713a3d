import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalMicroTime, canonicalTime } from '../../src/engine/schema/time'

describe('times', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
    ['2026-01-02T03:04:05.987Z', '2026-01-02T03:04:05Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
  ])('%s is written as %s', (text, canonical) => {
    expect(canonicalTime(text)).toBe(canonical)
  })

  it('with microseconds require exactly six decimals', () => {
    expect(canonicalMicroTime('2026-01-02T03:04:05.000100Z')).toBe('2026-01-02T03:04:05.000100Z')
    expect(canonicalMicroTime('2026-01-02T03:04:05.000100-01:30')).toBe(
      '2026-01-02T04:34:05.000100Z',
    )
    expect(() => canonicalMicroTime('2026-01-02T03:04:05Z')).toThrow(
      'cannot parse "Z" as ".000000"',
    )
  })

  const seconds = 'as "2006-01-02T15:04:05Z07:00": cannot parse'
  it.each([
    ['yesterday', `parsing time "yesterday" ${seconds} "yesterday" as "2006"`],
    ['', `parsing time "" ${seconds} "" as "2006"`],
    ['1ü"', `parsing time "1\\xc3\\xbc\\"" ${seconds} "1\\xc3\\xbc\\"" as "2006"`],
    ['2026-01-02', `parsing time "2026-01-02" ${seconds} "" as "T"`],
    ['2026-01-02 03:04:05Z', `parsing time "2026-01-02 03:04:05Z" ${seconds} " 03:04:05Z" as "T"`],
    ['2026-01-02T03:04:05', `parsing time "2026-01-02T03:04:05" ${seconds} "" as "Z07:00"`],
    ['2026-13-02T03:04:05Z', 'parsing time "2026-13-02T03:04:05Z": month out of range'],
    ['2026-02-30T03:04:05Z', 'parsing time "2026-02-30T03:04:05Z": day out of range'],
    ['2026-01-02T24:04:05Z', 'parsing time "2026-01-02T24:04:05Z": hour out of range'],
    ['2026-01-02T03:04:05Zx', 'parsing time "2026-01-02T03:04:05Zx": extra text: "x"'],
  ])('rejects %j: %s', (text, message) => {
    expect(() => canonicalTime(text)).toThrow(message)
  })

  it('are the same instant in every zone', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('9998-01-01'), noInvalidDate: true }),
        fc.integer({ min: -720, max: 720 }),
        (date, offset) => {
          const whole = new Date(Math.floor(date.getTime() / 1000) * 1000)
          const local = new Date(whole.getTime() + offset * 60_000).toISOString().slice(0, 19)
          const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}:${String(Math.abs(offset) % 60).padStart(2, '0')}`
          expect(canonicalTime(local + zone)).toBe(`${whole.toISOString().slice(0, 19)}Z`)
        },
      ),
    )
  })
})
