/** Which times of a schedule were missed (public documentation, "CronJob", "Job creation" and "Starting deadline"). */
import type { Times } from '../registry/batch/schedule-times'

/** More than so many missed times are told of. */
const MANY = 100

export interface Missed {
  /** The most recent one for which something is to be begun. */
  last: number | undefined
  count: 'none' | 'few' | 'many'
}

/**
 * How many there were is reckoned from the first two, so that a long pause costs no more than a short one: for schedules that are not
 * regular it is an estimate, as with the real controller, which then may find none that is recent enough.
 *
 * @param since milliseconds since the epoch, as `now` is
 * @returns undefined: the schedule is never due
 */
export function missedSince(times: Times, since: number, now: number): Missed | undefined {
  const first = times.after(since)
  if (first === undefined) return undefined
  if (now < first) return { last: undefined, count: 'none' }
  const second = times.after(first)
  if (second === undefined || now < second) return { last: first, count: 'none' }
  const interval = Math.round((second - first) / 1000) * 1000
  const missed = Math.floor((now - first) / interval) + 1
  let last: number | undefined
  for (
    let at = times.after(first + (missed - 2) * interval);
    at !== undefined && at <= now;
    at = times.after(at)
  )
    last = at
  return { last, count: missed > MANY ? 'many' : 'few' }
}
