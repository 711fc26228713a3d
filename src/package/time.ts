/** Time as this process has it. */
import type { Clock } from '../engine/environment'

const LONGEST_TIMER = 2 ** 31 - 1

/** The machine's clock; what waits for it keeps no process alive. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    const timer = setTimeout(run, Math.min(milliseconds, LONGEST_TIMER))
    if (typeof timer === 'object') timer.unref()
    return () => clearTimeout(timer)
  },
}

/** For what a request waits for: somebody waits for its answer, whether the cluster's time goes on or not. */
export const requestTimers: Pick<Clock, 'after'> = {
  after(milliseconds, run) {
    const timer = setTimeout(run, Math.min(milliseconds, LONGEST_TIMER))
    return () => clearTimeout(timer)
  },
}
