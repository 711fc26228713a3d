/** Retries a write that conflicts with another, as kubectl does. */
import { StatusError } from '../errors'

/**
 * @param write reads and writes
 * @param goOn whether to try once more, after so many tries; may take its time
 * @throws what writing throws, at last a conflict
 */
export async function retryOnConflict<Result>(
  write: () => Promise<Result>,
  goOn: (tries: number) => boolean | Promise<boolean>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === 'Conflict') || !(await goOn(tries)))
        throw error
    }
  }
}
