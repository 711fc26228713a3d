/**
 * Metrics of the events of the store. The server keeps the current objects and the recent events in
 * memory and serves lists and watches from there, so its watch cache gets each event of the store.
 */
import type { MetricRegistry } from './registry'

interface Events {
  count: number
  /** The revision of the last one. */
  revision: number
}

export class EventMetrics {
  private readonly byPrefix = new Map<string, Events>()
  private readonly stored
  private readonly received
  private readonly dispatched
  private readonly revisions

  constructor(registry: MetricRegistry) {
    this.stored = registry.numbers('apiserver_storage_events_received_total')
    this.received = registry.numbers('apiserver_watch_cache_events_received_total')
    this.dispatched = registry.numbers('apiserver_watch_cache_events_dispatched_total')
    this.revisions = registry.numbers('apiserver_watch_cache_resource_version')
  }

  /** Runs for each write. @param prefix of the keys of its resource */
  event(prefix: string, revision: number): void {
    const events = this.byPrefix.get(prefix)
    if (events === undefined) this.byPrefix.set(prefix, { count: 1, revision })
    else {
      events.count++
      events.revision = revision
    }
  }

  /** @param prefixes by the names of resources */
  read(prefixes: ReadonlyMap<string, string>): void {
    for (const [resource, prefix] of prefixes) {
      const { count, revision } = this.byPrefix.get(prefix) ?? NONE
      if (count === 0) continue
      for (const family of [this.stored, this.received, this.dispatched])
        family.at({ resource }).value = count
      this.revisions.at({ resource }).value = revision
    }
  }
}

const NONE: Events = { count: 0, revision: 0 }
