/** Counts events once for each stream that receives a chunk. */
import type { Membership, SharedSink, StreamSink } from '../http/messages'
import type { WatchEventSeries } from './request-metrics'

/** @param times number of streams that get the event */
export function countEvent({ events, sizes }: WatchEventSeries, bytes: number, times = 1): void {
  events.value += times
  sizes.observeTimes(bytes, times)
}

/** A chunk for many streams counts once for each. */
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

/** Of open streams. */
export class CountedSinks {
  /** Streams of one host share a sink, so that the host receives each chunk once. */
  private readonly bySink = new Map<SharedSink, CountedSharedSink>()

  /** @param events the same for all that join under one object */
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
