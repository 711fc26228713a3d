import { StatusError } from '../errors'

const isConflictStatus = (error: unknown): boolean =>
  error instanceof StatusError && error.reason === 'Conflict'

/**
 * Retries a write after a conflict, as kubectl does.
 * @param write reads and writes the object
 * @param goOn whether to retry after a number of attempts; may wait
 * @param isConflict whether a retry can help
 * @throws the last error
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
