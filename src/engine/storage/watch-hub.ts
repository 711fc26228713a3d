/** Who wants to hear of which keys. A write asks once per segment of its key, never every watcher. */
import type { StorageEvent, Watcher, WatchSink } from './storage'

export class WatchHub {
  private readonly sinks = new Map<string, Set<WatchSink>>()

  /** @param prefix a prefix ending with `/`, or one key */
  add(prefix: string, sink: WatchSink): Watcher {
    const set = this.sinks.get(prefix) ?? new Set()
    set.add(sink)
    this.sinks.set(prefix, set)
    return {
      stop: () => {
        if (set.delete(sink) && set.size === 0 && this.sinks.get(prefix) === set) this.sinks.delete(prefix)
      },
    }
  }

  publish(event: StorageEvent): void {
    if (this.sinks.size === 0) return
    const { key } = event
    for (let slash = key.indexOf('/', 1); slash >= 0; slash = key.indexOf('/', slash + 1)) this.tell(key.slice(0, slash + 1), event)
    this.tell(key, event)
  }

  private tell(prefix: string, event: StorageEvent): void {
    const set = this.sinks.get(prefix)
    if (set) for (const sink of set) sink.event(event)
  }

  /** Ends every stream. */
  endAll(reason: 'gone' | 'closed'): void {
    const all = [...this.sinks.values()]
    this.sinks.clear()
    for (const set of all) for (const sink of set) sink.end(reason)
  }
}
