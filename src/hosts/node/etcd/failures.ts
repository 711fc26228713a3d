/** What becomes of calls that etcd does not answer, or rejects. */
import {
  StorageRejectedError,
  StorageTimeoutError,
  StorageUnavailableError,
} from '../../../engine/storage/storage'
import { CallError, Code } from './connection'

/** Milliseconds until a moment of `performance.now()`; never none, as a limit of 0 would be no limit. */
export const left = (deadline: number): number => Math.max(1, deadline - performance.now())

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Whoever asked waits no longer. @throws StorageTimeoutError instead of what states that the store is not there */
export function tooLate(error: unknown): never {
  if (error instanceof StorageUnavailableError)
    throw new StorageTimeoutError(error.message, error.uncertain)
  throw error
}

/** Etcd has no room (its alarm NOSPACE): it only deletes. */
export const isFull = (error: unknown): boolean =>
  error instanceof CallError &&
  error.code === Code.resourceExhausted &&
  error.message.includes('database space exceeded')

/** What a client of the store is notified of a call that failed. @param uncertain it may have been carried out */
export function unavailable(error: unknown, uncertain: boolean): Error {
  if (error instanceof StorageUnavailableError || !(error instanceof Error)) return error as Error
  // What it rejects for good kube-apiserver passes on in etcd's words.
  if (error instanceof CallError && error.certain && error.code !== Code.unavailable)
    return new StorageRejectedError(error.message)
  return new StorageUnavailableError(`etcd: ${error.message}`, uncertain)
}
