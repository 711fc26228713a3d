/** What failed is tried again after a while that doubles with each failure. */
import type { Clock, Log } from '../environment'

const FIRST_PAUSE = 100
const LAST_PAUSE = 30_000

/** Who waits in real time, and tells of failures. */
export interface RetryContext {
  wallClock: Pick<Clock, 'after'>
  log: Log
}

/** Milliseconds to wait after so many failures in a row: 100 after the first, 30 s at most. */
export const backoffAfter = (failures: number): number =>
  Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1))

/**
 * Tries something until it succeeds, and reports each failure.
 * @param what in a report: `following /registry/pods/`
 * @returns when it is done; never, if who wanted it has stopped meanwhile
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
