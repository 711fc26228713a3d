/**
 * Event texts of the kubelet.
 * https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
 */

import type { Container, Probe } from 'kubernetes-types/core/v1'
import { append } from '../../core/lists'
import type { Verdict } from '../../simulation/probes'
import type { KubeletEvent } from './kubelet-events'

export interface ProbeTimes {
  /** All times are milliseconds. */
  now: number
  /** Later failures become events. */
  since: number
  began: number
  fieldPath: string
  /** Results are constant between these times. */
  changes: readonly number[]
  verdictOf(probe: Probe, at: number): Verdict
}

export interface Probed {
  started: boolean
  ready: boolean
  /** The container has to be stopped since `at`. */
  failed: { at: number; probe: 'liveness' | 'startup' } | undefined
  events: KubeletEvent[]
  /** Next time at which status or events may change. */
  next: number | undefined
}

/** @param readiness false: a simulated behavior replaces the probe */
export function probesOf(container: Container, readiness: boolean, times: ProbeTimes): Probed {
  const { startupProbe, livenessProbe, readinessProbe } = container
  const probed: Probed = {
    started: true,
    ready: true,
    failed: undefined,
    events: [],
    next: undefined,
  }
  let from = times.began
  if (startupProbe) {
    const course = courseOf(startupProbe, from, times, 'first')
    if (course.passedAt === undefined || course.failedAt !== undefined)
      return {
        ...probed,
        ...events('Startup', course, times),
        started: false,
        ready: false,
        failed:
          course.failedAt === undefined ? undefined : { at: course.failedAt, probe: 'startup' },
      }
    from = course.passedAt
    // Includes failures before the startup probe passed.
    append(probed.events, events('Startup', course, times).events)
  }
  const note = (name: string, course: Course) => {
    const { events: happened, next } = events(name, course, times)
    append(probed.events, happened)
    probed.next = soonest(probed.next, next)
  }
  if (livenessProbe) {
    const course = courseOf(livenessProbe, from, times, 'failure')
    note('Liveness', course)
    if (course.failedAt !== undefined) probed.failed = { at: course.failedAt, probe: 'liveness' }
  }
  if (readinessProbe && readiness) {
    const course = courseOf(readinessProbe, from, times, 'none')
    note('Readiness', course)
    probed.ready = course.holds
  }
  return probed
}

interface Course {
  /** Reached `successThreshold`, and not `failureThreshold` since. */
  holds: boolean
  passedAt: number | undefined
  failedAt: number | undefined
  last: { at: number; verdict: Verdict } | undefined
  next: number | undefined
}

/**
 * @param from first probe, unless `initialDelaySeconds` is later
 * @param ends after the first failure, also after success, or never
 */
function courseOf(
  probe: Probe,
  from: number,
  times: ProbeTimes,
  ends: 'failure' | 'first' | 'none',
): Course {
  const {
    initialDelaySeconds = 0,
    periodSeconds = 10,
    failureThreshold = 3,
    successThreshold = 1,
  } = probe
  const period = periodSeconds * 1000
  const base = Math.max(times.began + initialDelaySeconds * 1000, from)
  const course: Course = {
    holds: false,
    passedAt: undefined,
    failedAt: undefined,
    last: undefined,
    next: undefined,
  }
  const bounds = recent(times.changes, base, times.now)
  let [result, streak] = ['' as Verdict['result'] | '', 0]
  let at = base
  while (at <= times.now) {
    const verdict = times.verdictOf(probe, at)
    const end = bounds.find((bound) => bound > at) ?? Number.POSITIVE_INFINITY
    const count = Math.floor((Math.min(times.now, end - 1) - at) / period) + 1
    if (verdict.result !== 'error') {
      if (verdict.result !== result) [result, streak] = [verdict.result, 0]
      const needed = result === 'success' ? successThreshold : failureThreshold
      const turns =
        streak + count >= needed && streak < needed
          ? at + (needed - streak - 1) * period
          : undefined
      streak += count
      if (turns !== undefined && result === 'success') {
        course.holds = true
        course.passedAt ??= turns
        if (ends === 'first') return { ...course, last: { at: turns, verdict } }
      } else if (turns !== undefined) {
        course.holds = false
        course.failedAt ??= turns
        if (ends !== 'none') return { ...course, last: { at: turns, verdict } }
      }
    }
    course.last = { at: at + (count - 1) * period, verdict }
    at += count * period
  }
  course.next = nextTime(at, period, bounds, times, course, probe)
  return course
}

/** The latest changes count. */
const MOST_CHANGES = 100

/** Sorted, up to the first change in the future. */
function recent(changes: readonly number[], base: number, now: number): number[] {
  const sorted = changes.filter((at) => at > base).sort((a, b) => a - b)
  const due = sorted.findIndex((at) => at > now)
  const end = due < 0 ? sorted.length : due + 1
  return sorted.slice(Math.max(0, end - MOST_CHANGES), end)
}

/** Skips a passing probe until its result may change. */
function nextTime(
  at: number,
  period: number,
  bounds: readonly number[],
  times: ProbeTimes,
  { last, holds }: Course,
  probe: Probe,
): number | undefined {
  const isSettled = holds && last?.verdict.result === 'success'
  if (!isSettled || times.verdictOf(probe, at).result !== 'success') return at
  const change = bounds.find((bound) => bound > at)
  return change === undefined ? undefined : at + Math.ceil((change - at) / period) * period
}

/** Events since the previous sync. */
function events(
  name: string,
  { last, failedAt, next }: Course,
  { since, now, fieldPath }: ProbeTimes,
) {
  const happened: KubeletEvent[] = []
  if (last && last.at > since && last.at <= now && last.verdict.result !== 'success') {
    const { result, output } = last.verdict
    const text = result === 'error' ? 'errored and resulted in unknown state' : 'failed'
    happened.push({
      type: 'Warning',
      reason: 'Unhealthy',
      message: `${name} probe ${text}: ${output}`,
      fieldPath,
    })
  }
  return { events: happened, next: failedAt !== undefined && failedAt <= now ? undefined : next }
}

const soonest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.min(one, other)
