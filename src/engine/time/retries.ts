/** Retries with exponential backoff. */
import type { Clock, Log } from '../core/environment'

const FIRST_PAUSE = 100
const LAST_PAUSE = 30_000

/** Real timers, and a log for failures. */
export interface RetryContext {
  wallClock: Pick<Clock, 'after'>
  log: Log
}

/** Milliseconds to wait after so many failures in a row: 100 after the first, 30 s at most. */
export const backoffAfter = (failures: number): number =>
  Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1))

/**
 * Tries something until it succeeds, and logs each failure.
 * @param what in a log message: `following /registry/pods/`
 * @returns when it is done; never, if it was stopped
 */
export function retryUntilDone(
  { wallClock, log }: RetryContext,
  what: string,
  attempt: () => Promise<void>,
  stopped: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const tryOnce = (failures: number): void => {
      attempt().then(resolve, (error: unknown) => {
        if (stopped()) return
        log.error(`${what} failed`, error)
        wallClock.after(backoffAfter(failures + 1), () => {
          if (!stopped()) tryOnce(failures + 1)
        })
      })
    }
    tryOnce(0)
  })
}
