/** Control loops of the API server; for kube-controller-manager's see runtime/manager.ts. */
import type { Engine } from '../registry/engine'
import type { StorageEvent } from '../storage/storage'
import { retryUntilDone } from '../time/retries'

/** @returns stops the loop */
export type Loop = (engine: Engine) => () => void

/** Reports existing objects as added, then changes. Relists after compaction. @returns stops it */
export function follow(
  engine: Engine,
  prefix: string,
  notify: (event: Pick<StorageEvent, 'type' | 'current'>) => void,
): () => void {
  let stopped = false
  let stopWatching = () => {}
  const begin = async () => {
    const { items, revision } = await engine.storage.range(prefix)
    if (stopped) return
    for (const current of items) notify({ type: 'ADDED', current })
    const watcher = engine.storage.watch(prefix, revision, {
      event: notify,
      end: (reason) => {
        if (reason === 'gone' && !stopped) start()
      },
    })
    stopWatching = () => watcher.stop()
  }
  const start = () => void retryUntilDone(engine, `following ${prefix}`, begin, () => stopped)
  start()
  return () => {
    stopped = true
    stopWatching()
  }
}
