import { retryOnConflict } from '../../../console/acting/retry-on-conflict'
import type { ApiResponse } from '../../state/client'
import { isConflict } from './failure'

class ConflictError extends Error {}
const isConflictError = (error: unknown): boolean => error instanceof ConflictError

/**
 * Retries a write on a conflict.
 * @param send reads the object and sends a write; undefined: there is nothing to send
 * @param most maximum number of attempts
 * @returns the last write, which can still be a conflict, and the number of attempts
 */
export async function sendWithRetries<Sent extends { response: ApiResponse }>(
  send: () => Promise<Sent | undefined>,
  most: number,
): Promise<(Sent & { times: number }) | undefined> {
  let times = 0
  let sent: Sent | undefined
  const write = async () => {
    times++
    sent = await send()
    if (sent !== undefined && isConflict(sent.response)) throw new ConflictError()
  }
  try {
    await retryOnConflict(write, (tries) => tries < most, isConflictError)
  } catch (error) {
    if (!isConflictError(error)) throw error
  }
  return sent && { ...sent, times }
}
