/** Keeps history for one to two intervals of the cluster's time. */
import type { Clock } from '../core/environment'
import type { Storage } from './storage'

/** The default interval of compaction in kube-apiserver (--etcd-compaction-interval). */
export const COMPACTION_MILLISECONDS = 5 * 60_000

/**
 * At each interval compacts to the revision of the interval before.
 * @param interval milliseconds; 0: never
 * @returns a function that stops it
 */
export function compactRegularly(
  storage: Storage,
  clock: Clock,
  interval: number,
  failed: (error: unknown) => void,
): () => void {
  if (interval === 0) return () => {}
  let before = storage.currentRevision()
  let cancel = clock.after(interval, tick)
  function tick(): void {
    storage.compact(before).catch(failed)
    before = storage.currentRevision()
    cancel = clock.after(interval, tick)
  }
  return () => cancel()
}
