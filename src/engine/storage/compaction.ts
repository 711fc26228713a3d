/** History is kept for five to ten minutes of the engine's time: the default interval by which the real server has its store compacted. */
import type { Clock } from '../environment'
import type { Storage } from './storage'

const INTERVAL = 5 * 60_000

/** At each interval forgets what was there before the one before. @returns how to stop */
export function compactRegularly(storage: Storage, clock: Clock, failed: (error: unknown) => void): () => void {
  let before = storage.currentRevision()
  let cancel = clock.after(INTERVAL, tick)
  function tick(): void {
    storage.compact(before).catch(failed)
    before = storage.currentRevision()
    cancel = clock.after(INTERVAL, tick)
  }
  return () => cancel()
}
