/** History is kept for one to two intervals of the engine's time. */
import type { Clock } from '../environment'
import type { Storage } from './storage'

/** The default interval by which the real server has its store compacted. */
export const COMPACTION_MILLISECONDS = 5 * 60_000

/**
 * At each interval forgets what was there before the one before.
 *
 * @param interval milliseconds; 0: never
 * @returns how to stop
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
