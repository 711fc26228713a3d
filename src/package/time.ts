/** Time as this process has it. */
import type { Clock } from '../engine/core/environment'

/** More milliseconds no timer takes. */
const LONGEST_TIMER = 2 ** 31 - 1

const timer = (milliseconds: number, run: () => void) =>
  setTimeout(run, Math.min(milliseconds, LONGEST_TIMER))

/** The machine's clock; what waits for it keeps no process alive. */
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
