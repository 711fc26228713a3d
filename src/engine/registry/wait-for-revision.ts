/** Reads that may not be older than some version wait until the store has come that far; on several hosts it may lag a little. */
import { type ApiError, failure } from '../http/status'
import type { RequestContext } from './request-context'

/** How long a read waits (recorded), and how often it looks. */
const MAX_WAIT = 3_000
const POLL_INTERVAL = 20

/**
 * Waits for a version. Only the cache does; the store itself is asked once.
 * @param version a whole number as it was given
 * @throws ApiError 504 if the version does not come to be
 */
export async function waitForRevision(
  { engine }: Pick<RequestContext, 'engine'>,
  version: string,
  cached: boolean,
): Promise<void> {
  const { storage, wallClock } = engine
  if (Number(version) <= storage.currentRevision()) return
  let waiting = cached
  const callOff = wallClock.after(MAX_WAIT, () => {
    waiting = false
  })
  while (waiting && Number(version) > storage.currentRevision()) {
    await new Promise<void>((resolve) => wallClock.after(POLL_INTERVAL, resolve))
  }
  callOff()
  if (Number(version) > storage.currentRevision())
    throw tooLarge(version, storage.currentRevision(), cached)
}

/** @param waits whether the cache was asked, which waits for a version; of the store itself nobody is told to ask again (recorded) */
function tooLarge(requested: string, current: number, waits: boolean): ApiError {
  return failure(
    504,
    'Timeout',
    `Timeout: Too large resource version: ${requested}, current: ${current}`,
    {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      ...(waits ? { retryAfterSeconds: 1 } : {}),
    },
  )
}
