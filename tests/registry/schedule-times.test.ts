/** The times of a cron schedule. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scheduleTimes } from '../../src/engine/kinds/batch/schedule-times'

const dueAfter = (schedule: string, moment: string, zone?: string): string | undefined => {
  const due = scheduleTimes(schedule, zone).after(Date.parse(moment))
  return due === undefined ? undefined : new Date(due).toISOString().replace(':00.000Z', 'Z')
}

describe('a schedule', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:00:30Z', '2026-01-01T00:01Z'],
    ['*/15 * * * *', '2026-01-01T00:50:00Z', '2026-01-01T01:00Z'],
    ['0 3 * * *', '2026-01-01T03:00:00Z', '2026-01-02T03:00Z'],
    ['30 8 1 feb *', '2026-01-31T12:00:00Z', '2026-02-01T08:30Z'],
    ['0 0 29 2 *', '2026-03-01T00:00:00Z', '2028-02-29T00:00Z'],
    ['0 9 * * mon-fri', '2026-01-02T10:00:00Z', '2026-01-05T09:00Z'],
    ['0 0 13 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00Z'],
    ['@hourly', '2026-01-01T00:00:00Z', '2026-01-01T01:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00Z'],
    ['5-10/5 * * * *', '2026-01-01T00:06:00Z', '2026-01-01T00:10Z'],
  ])('%s is due after %s at %s', (schedule, moment, due) =>
    expect(dueAfter(schedule, moment)).toBe(due),
  )

  it('is due at a fixed interval with @every', () => {
    expect(scheduleTimes('@every 1h30m').after(Date.UTC(2026, 0, 1))).toBe(
      Date.UTC(2026, 0, 1, 1, 30),
    )
    expect(scheduleTimes('@every 1999999us').after(Date.UTC(2026, 0, 1))).toBe(
      Date.UTC(2026, 0, 1, 0, 0, 1),
    )
    expect(scheduleTimes('@every -1h').after(Date.UTC(2026, 0, 1))).toBe(
      Date.UTC(2026, 0, 1, 0, 0, 1),
    )
  })

  it('uses its time zone, from the field or the TZ= prefix', () => {
    expect(dueAfter('0 9 * * *', '2026-07-01T00:00:00Z', 'Europe/Berlin')).toBe('2026-07-01T07:00Z')
    expect(dueAfter('TZ=Asia/Kolkata 0 9 * * *', '2026-07-01T00:00:00Z')).toBe('2026-07-01T03:30Z')
  })

  it('that matches no day is never due', () =>
    expect(dueAfter('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined())

  it('is due at the first matching minute, as a search minute by minute finds', () => {
    const field = (min: number, max: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min, max }).map(String),
        fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
      )
    const fields = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6))
    const fits = (text: string, value: number, min: number) =>
      text === '*' ||
      (text.startsWith('*/') ? (value - min) % Number(text.slice(2)) === 0 : Number(text) === value)
    fc.assert(
      fc.property(
        fields,
        fc.integer({ min: 0, max: 365 * 24 * 60 }),
        ([minute, hour, day, month, weekday], start) => {
          const from = Date.UTC(2026, 0, 1) + start * 60_000
          let expected: number | undefined
          for (
            let at = from + 60_000;
            at <= from + 3 * 24 * 3600_000 && expected === undefined;
            at += 60_000
          ) {
            const date = new Date(at)
            const [dayFits, weekdayFits] = [
              fits(day, date.getUTCDate(), 1),
              fits(weekday, date.getUTCDay(), 0),
            ]
            const both =
              day === '*' || weekday === '*' ? dayFits && weekdayFits : dayFits || weekdayFits
            const clock = fits(minute, date.getUTCMinutes(), 0) && fits(hour, date.getUTCHours(), 0)
            if (clock && both && fits(month, date.getUTCMonth() + 1, 1)) expected = at
          }
          const found = scheduleTimes(`${minute} ${hour} ${day} ${month} ${weekday}`).after(from)
          if (expected !== undefined) expect(found).toBe(expected)
          else expect(found === undefined || found > from + 3 * 24 * 3600_000).toBe(true)
        },
      ),
    )
  })
})
