/** Waits for a revision: with several hosts the local state may lag behind. */
import { type ApiError, failure } from '../http/status'
import type { RequestContext } from './request-context'

/** In milliseconds (kube-apiserver 1.31). */
const MAX_WAIT = 3_000
const POLL_INTERVAL = 20

/**
 * Only reads from the cache wait.
 * @param version an unsigned integer
 * @throws ApiError 504 if the revision is not reached in time
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

/** @param waits only a read from the cache suggests a retry (kube-apiserver 1.31) */
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
