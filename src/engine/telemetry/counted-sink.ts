/** Counts the events of watch streams, once for each stream that receives a chunk. */
import type { Membership, SharedSink, StreamSink } from '../http/messages'
import type { WatchEventSeries } from './request-metrics'

/** @param times streams that get the event */
export function countEvent({ events, sizes }: WatchEventSeries, bytes: number, times = 1): void {
  events.value += times
  sizes.observeTimes(bytes, times)
}

/** Counts a chunk that the host sends to many streams, once for each of them. */
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

/** Streams of one host must share a sink, so that the host receives each chunk once. */
const known = new WeakMap<SharedSink, CountedSharedSink>()

/** How streams join that are counted. @param events of the kind, the same for all that join under one object */
export function countedJoin(
  join: NonNullable<StreamSink['join']>,
  events: WatchEventSeries,
): NonNullable<StreamSink['join']> {
  return (what): Membership => {
    const membership = join(what)
    const shared = known.get(membership.shared) ?? new CountedSharedSink(membership.shared, events)
    known.set(membership.shared, shared)
    shared.members++
    return {
      shared,
      leave() {
        shared.members--
        membership.leave()
      },
    }
  }
}
