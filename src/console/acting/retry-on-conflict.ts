/** Retries a write that conflicts with another, as kubectl does. */
import { StatusError } from '../errors'

const isConflictStatus = (error: unknown): boolean =>
  error instanceof StatusError && error.reason === 'Conflict'

/**
 * @param write reads and writes
 * @param goOn whether to try once more, after so many tries; may take its time
 * @param isConflict whether a retry can help against an error of `write`
 * @throws what writing throws, at last a conflict
 */
export async function retryOnConflict<Result>(
  write: () => Promise<Result>,
  goOn: (tries: number) => boolean | Promise<boolean>,
  isConflict: (error: unknown) => boolean = isConflictStatus,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!isConflict(error) || !(await goOn(tries))) throw error
    }
  }
}
