/** Computes the times of a cron schedule. kubernetes.io, "CronJob", "Schedule syntax". */

import { entryOf } from '../../core/object'
import { durationMilliseconds } from '../../schema/go-duration'

export interface Times {
  /** Milliseconds; undefined: none within five years. */
  after(moment: number): number | undefined
}

const DESCRIPTORS: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const DAYS = 'sun mon tue wed thu fri sat'.split(' ')
const MINUTE = 60_000
const FIVE_YEARS = 5 * 366 * 24 * 60 * MINUTE

/** @param text valid (schedule.ts) @param timeZone default UTC */
export function scheduleTimes(text: string, timeZone?: string): Times {
  const [, ownZone, rest = ''] = /^(?:CRON_)?TZ=(\S*)\s*(.*)$/s.exec(text) ?? []
  const spec = (ownZone === undefined ? text : rest).trim()
  if (spec.startsWith('@every ')) return everyTimes(spec.slice('@every '.length))
  const fields = (entryOf(DESCRIPTORS, spec.toLowerCase()) ?? spec).split(/\s+/)
  return fieldTimes(fields, timeZone || ownZone || 'UTC')
}

/** `2026-01-01T09:00:00+09:00` (RFC 3339) */
export function zonedTime(moment: number, timeZone = 'UTC'): string {
  const { year, month, day, hour, minute, second } = partsOf(timeZone)(moment)
  const shown = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  const offset = Math.round((shown - Math.floor(moment / 1000) * 1000) / MINUTE)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const sign = offset < 0 ? '-' : '+'
  const zone =
    offset === 0 ? 'Z' : `${sign}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
  return `${new Date(shown).toISOString().slice(0, 19)}${zone}`
}

function everyTimes(duration: string): Times {
  const step = Math.max(1000, Math.floor(durationMilliseconds(duration) / 1000) * 1000)
  return { after: (moment) => Math.floor(moment / 1000) * 1000 + step }
}

function fieldTimes(fields: string[], timeZone: string): Times {
  const [minutes, hours, days, months, weekdays] = [
    valuesOf(fields[0], 0, 59),
    valuesOf(fields[1], 0, 23),
    valuesOf(fields[2], 1, 31),
    valuesOf(fields[3], 1, 12, MONTHS, 1),
    valuesOf(fields[4], 0, 6, DAYS, 0),
  ]
  const anyDay = isAny(fields[2])
  const anyWeekday = isAny(fields[4])
  const wallClock = wallClockOf(timeZone)
  return {
    after(moment) {
      let at = Math.floor(moment / MINUTE) * MINUTE + MINUTE
      for (const end = at + FIVE_YEARS; at < end; ) {
        const { month, day, weekday, hour, minute } = wallClock(at)
        // One of both must match; both, if one is a wildcard.
        const dayFits =
          anyDay || anyWeekday
            ? days.has(day) && weekdays.has(weekday)
            : days.has(day) || weekdays.has(weekday)
        if (!months.has(month) || !dayFits)
          at += (60 - minute) * MINUTE + (hour < 23 ? (22 - hour) * 60 * MINUTE : 0)
        else if (!hours.has(hour)) at += (60 - minute) * MINUTE
        else if (!minutes.has(minute)) at += MINUTE
        else return at
      }
      return undefined
    },
  }
}

/** One wildcard suffices. */
const isAny = (field = '*'): boolean => field.split(',').some((part) => /^[*?](?:\/1)?$/.test(part))

function valuesOf(
  field = '*',
  min: number,
  max: number,
  names: string[] = [],
  firstName = 0,
): Set<number> {
  const found = new Set<number>()
  const numberOf = (text: string) => {
    const named = names.indexOf(text.toLowerCase())
    return named >= 0 ? named + firstName : Number(text)
  }
  for (const part of field.split(',').filter((item) => item !== '')) {
    const [range = '*', stepText] = part.split('/')
    const [low = '*', high] = range.split('-')
    const any = low === '*' || low === '?'
    const start = any ? min : numberOf(low)
    const end = any
      ? max
      : high !== undefined
        ? numberOf(high)
        : stepText !== undefined
          ? max
          : start
    for (let value = start; value <= end; value += Math.max(1, Number(stepText ?? 1)))
      found.add(value)
  }
  return found
}

interface WallClock {
  month: number
  day: number
  weekday: number
  hour: number
  minute: number
}

function wallClockOf(timeZone: string): (at: number) => WallClock {
  if (timeZone === 'UTC') {
    return (at) => {
      const date = new Date(at)
      return {
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        weekday: date.getUTCDay(),
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
      }
    }
  }
  const shownAt = partsOf(timeZone)
  return (at) => {
    const parts = shownAt(at)
    return {
      month: Number(parts.month),
      day: Number(parts.day),
      weekday: DAYS.indexOf((parts.weekday ?? '').toLowerCase()),
      hour: Number(parts.hour),
      minute: Number(parts.minute),
    }
  }
}

function partsOf(timeZone: string): (at: number) => Record<string, string> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) =>
    Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}
