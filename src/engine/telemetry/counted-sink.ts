/** Counts what the streams of a kind are told, each chunk once for every stream that it goes to. */
import type { Membership, SharedSink, StreamSink } from '../http/messages'
import type { WatchEventSeries } from './request-metrics'

/** @param times streams that get the event */
export function countEvent({ events, sizes }: WatchEventSeries, bytes: number, times = 1): void {
  events.value += times
  sizes.observeTimes(bytes, times)
}

/** What a host gets once for many is counted by who tells it, for all of them. */
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

/** Members of one host have to see the same sink, so that it is told once. */
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
