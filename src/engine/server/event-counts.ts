/** Counts the events of the store for metrics. */
import type { Storage } from '../storage/storage'
import type { EventMetrics } from '../telemetry/event-metrics'

const EVERYTHING = '/registry/'

/** @returns a function that stops it */
export function countEvents(storage: Storage, metrics: EventMetrics): () => undefined {
  let stop = () => {}
  const follow = () => {
    let isCurrent = true
    const watcher = storage.watch(EVERYTHING, storage.currentRevision(), {
      event: (event) => metrics.event(event),
      end: (reason) => {
        if (reason === 'gone') queueMicrotask(() => isCurrent && follow())
      },
    })
    stop = () => {
      isCurrent = false
      watcher.stop()
    }
  }
  follow()
  return () => void stop()
}
