/** Time as this process has it. */
import type { Clock } from '../engine/environment'

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

/** For what a request waits for: somebody waits for its answer, whether the cluster's time goes on or not. */
export const requestTimers: Pick<Clock, 'after'> = {
  after(milliseconds, run) {
    const started = timer(milliseconds, run)
    return () => clearTimeout(started)
  },
}
