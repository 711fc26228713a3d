/** The log of a simulated container, computed for the requested time. */
import { smallest } from '../core/lists'
import { entryOf } from '../core/object'
import type { LogEntry } from './behavior'

export interface Run {
  /** Milliseconds since the epoch. */
  began: number
  /** undefined: it still runs. */
  ended: number | undefined
}

export interface LogLine {
  at: number
  text: string
}

/** Maximum number of repetitions of an entry that a log keeps. */
const KEPT_TIMES = 10_000

/**
 * The log lines after one time (exclusive) up to another.
 * @param names values of the placeholders such as `{pod}`
 */
export function linesOf(
  sayings: readonly LogEntry[],
  names: Record<string, string>,
  run: Run,
  after: number,
  until: number,
): LogLine[] {
  const end = Math.min(until, run.ended ?? Number.POSITIVE_INFINITY)
  const lines = sayings.flatMap(({ text, after: wait = 0, every }) => {
    const first = run.began + (every === undefined ? wait : wait + every) * 1000
    if (every === undefined)
      return first > after && first <= end
        ? [{ at: first, text: filled(text, names, 1, first) }]
        : []
    const step = every * 1000
    const last = Math.floor((end - first) / step)
    const begin = Math.max(0, Math.floor((after - first) / step) + 1, last - KEPT_TIMES + 1)
    return Array.from({ length: Math.max(0, last - begin + 1) }, (_, index) => ({
      at: first + (begin + index) * step,
      text: filled(text, names, begin + index + 1, first + (begin + index) * step),
    }))
  })
  return lines.sort((a, b) => a.at - b.at)
}

/** Time of the next line; undefined if there is none. */
export function nextLineAt(
  sayings: readonly LogEntry[],
  run: Run,
  after: number,
): number | undefined {
  const times = sayings.map(({ after: wait = 0, every }) => {
    if (every === undefined) return run.began + wait * 1000
    const first = run.began + (wait + every) * 1000
    return first + Math.max(0, Math.floor((after - first) / (every * 1000)) + 1) * every * 1000
  })
  const due = times.filter((time) => time > after && (run.ended === undefined || time <= run.ended))
  return due.length === 0 ? undefined : smallest(due)
}

/** The output of `date`: `Thu Jan  1 00:00:05 UTC 2026`. */
export function dateText(milliseconds: number): string {
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(milliseconds)
    .toUTCString()
    .split(/,? /)
  return `${day} ${month} ${String(Number(date)).padStart(2)} ${time} UTC ${year}`
}

/** The output of `date +format`. */
export function formattedDate(format: string, milliseconds: number): string {
  const iso = new Date(milliseconds).toISOString()
  const [day = '', month = ''] = dateText(milliseconds).split(' ')
  const values: Readonly<Record<string, string>> = {
    s: String(Math.floor(milliseconds / 1000)),
    Y: iso.slice(0, 4),
    y: iso.slice(2, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    N: `${iso.slice(20, 23)}000000`,
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
    a: day,
    b: month,
    Z: 'UTC',
    z: '+0000',
    n: '\n',
    '%': '%',
  }
  return format.replace(/%([%\w])/g, (whole, letter: string) => entryOf(values, letter) ?? whole)
}

const filled = (text: string, names: Record<string, string>, n: number, at: number): string =>
  text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (whole, name: string, format?: string) => {
    if (name === 'date') return format === undefined ? dateText(at) : formattedDate(format, at)
    if (format !== undefined) return whole
    return name === 'n' ? String(n) : (entryOf(names, name) ?? whole)
  })
