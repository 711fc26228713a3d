import type { Times } from '../kinds/batch/schedule-times'

const MANY = 100

export interface Missed {
  last: number | undefined
  count: 'none' | 'few' | 'many'
}

/**
 * Estimates the count from two times, which is inexact for irregular schedules, as in
 * kube-controller-manager. @param since milliseconds @returns undefined if never due
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
