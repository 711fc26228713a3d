/** Counts an event once for each stream that receives it. */
import type { Membership, SharedSink, StreamSink } from '../http/messages'
import type { WatchEventSeries } from './request-metrics'

export function countEvent({ events, sizes }: WatchEventSeries, bytes: number, times = 1): void {
  events.value += times
  sizes.observeTimes(bytes, times)
}

class CountedSharedSink implements SharedSink {
  members = 0

  constructor(
    private readonly inner: SharedSink,
    private readonly events: WatchEventSeries,
  ) {}

  write(chunk: Uint8Array): void {
    countEvent(this.events, chunk.length, this.members)
    this.inner.write(chunk)
  }
}

export class CountedSinks {
  /** Streams of a host share a sink, so that it receives each chunk once. */
  private readonly bySink = new Map<SharedSink, CountedSharedSink>()

  /** @param events the same for all under one object */
  join(
    join: NonNullable<StreamSink['join']>,
    events: WatchEventSeries,
  ): NonNullable<StreamSink['join']> {
    return (what): Membership => {
      const membership = join(what)
      const inner = membership.shared
      const shared = this.bySink.get(inner) ?? new CountedSharedSink(inner, events)
      this.bySink.set(inner, shared)
      shared.members++
      return {
        shared,
        leave: () => {
          if (--shared.members === 0 && this.bySink.get(inner) === shared) this.bySink.delete(inner)
          membership.leave()
        },
      }
    }
  }
}
