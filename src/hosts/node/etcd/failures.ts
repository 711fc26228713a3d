import {
  StorageRejectedError,
  StorageTimeoutError,
  StorageUnavailableError,
} from '../../../engine/storage/storage'
import { CallError, Code } from './connection'

/** Milliseconds until a time of `performance.now()`, at least 1: a timeout of 0 is unlimited. */
export const left = (deadline: number): number => Math.max(1, deadline - performance.now())

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** @throws StorageTimeoutError in place of a StorageUnavailableError */
export function tooLate(error: unknown): never {
  if (error instanceof StorageUnavailableError)
    throw new StorageTimeoutError(error.message, error.uncertain)
  throw error
}

/** Whether etcd exceeds its quota and accepts only reads and deletes (alarm NOSPACE). */
export const isFull = (error: unknown): boolean =>
  error instanceof CallError &&
  error.code === Code.resourceExhausted &&
  error.message.includes('database space exceeded')

/** @param uncertain whether the call may have been committed */
export function unavailable(error: unknown, uncertain: boolean): Error {
  if (error instanceof StorageUnavailableError || !(error instanceof Error)) return error as Error
  // kube-apiserver passes on permanent errors of etcd unchanged.
  if (error instanceof CallError && error.certain && error.code !== Code.unavailable)
    return new StorageRejectedError(error.message)
  return new StorageUnavailableError(`etcd: ${error.message}`, uncertain)
}
