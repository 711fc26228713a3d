import type { Clock } from '../engine/core/environment'

/** The maximum delay of a timer in JavaScript, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

const timer = (milliseconds: number, run: () => void) =>
  setTimeout(run, Math.min(milliseconds, LONGEST_TIMER))

/** The machine's clock. Its timers do not keep the process running. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    const started = timer(milliseconds, run)
    if (typeof started === 'object') started.unref()
    return () => clearTimeout(started)
  },
}

/** For timeouts of requests, which use real time even while the cluster clock is paused. */
export const requestTimers: Pick<Clock, 'after'> = {
  after(milliseconds, run) {
    const started = timer(milliseconds, run)
    return () => clearTimeout(started)
  },
}
