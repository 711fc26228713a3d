import type { Clock } from '../core/environment'
import type { Storage } from './storage'

/** kube-apiserver's default (--etcd-compaction-interval). */
export const COMPACTION_MILLISECONDS = 5 * 60_000

/**
 * Compacts to the revision of one interval before, as kube-apiserver does.
 * @param interval milliseconds of cluster time; 0: never
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
