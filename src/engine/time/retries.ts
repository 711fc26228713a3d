import type { Clock, Log } from '../core/environment'

const FIRST_PAUSE = 100
const LAST_PAUSE = 30_000

export interface RetryContext {
  wallClock: Pick<Clock, 'after'>
  log: Log
}

/** Milliseconds: 100 after the first failure, at most 30,000. */
export const backoffAfter = (failures: number): number =>
  Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1))

/**
 * @param what for the log: `following /registry/pods/`
 * @returns when done; never resolves if stopped
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
