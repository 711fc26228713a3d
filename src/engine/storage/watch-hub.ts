/** A write costs one lookup per segment of its key. */
import type { StorageEvent, Watcher, WatchSink } from './storage'

interface Listener {
  sink: WatchSink
  after: number
}

export class WatchHub {
  private readonly listeners = new Map<string, Set<Listener>>()
  report: ((error: unknown) => void) | undefined

  /** @param prefix ends with `/`, or is one key */
  add(prefix: string, after: number, sink: WatchSink): Watcher {
    const listener = { sink, after }
    const set = this.listeners.get(prefix) ?? new Set()
    set.add(listener)
    this.listeners.set(prefix, set)
    return {
      stop: () => {
        if (set.delete(listener) && set.size === 0 && this.listeners.get(prefix) === set)
          this.listeners.delete(prefix)
      },
    }
  }

  publish(event: StorageEvent): void {
    if (this.listeners.size === 0) return
    const { key } = event
    for (let slash = key.indexOf('/', 1); slash >= 0; slash = key.indexOf('/', slash + 1))
      this.deliver(key.slice(0, slash + 1), event)
    this.deliver(key, event)
  }

  private deliver(prefix: string, event: StorageEvent): void {
    const set = this.listeners.get(prefix)
    if (set === undefined) return
    for (const { sink, after } of set) {
      if (event.revision <= after) continue
      try {
        sink.event(event)
      } catch (error) {
        this.failed(error)
      }
    }
  }

  /** @throws the error if there is no reporter */
  private failed(error: unknown): void {
    if (this.report === undefined) throw error
    this.report(error)
  }

  endAll(reason: 'gone' | 'closed'): void {
    const all = [...this.listeners.values()]
    this.listeners.clear()
    for (const set of all) {
      const ended = [...set]
      set.clear()
      for (const { sink } of ended) {
        try {
          sink.end(reason)
        } catch (error) {
          this.failed(error)
        }
      }
    }
  }
}
