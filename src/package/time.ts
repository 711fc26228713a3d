import type { Clock } from '../engine/core/environment'

/** In milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

const timer = (milliseconds: number, run: () => void) =>
  setTimeout(run, Math.min(milliseconds, LONGEST_TIMER))

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    const started = timer(milliseconds, run)
    if (typeof started === 'object') started.unref()
    return () => clearTimeout(started)
  },
}

/** Request timeouts use real time even while the cluster clock is paused. */
export const requestTimers: Pick<Clock, 'after'> = {
  after(milliseconds, run) {
    const started = timer(milliseconds, run)
    return () => clearTimeout(started)
  },
}
