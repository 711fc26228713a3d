/** What is kept of a watch: the newest events, as many as there is room for. */
import type { SeenEvent } from './seen-event'

/** So many events of a watch are kept, and so much of their text: whichever is less. */
export const MAX_EVENTS = 5000
const MAX_CHARS = 30_000_000

/** @returns the events with those that arrived, without the oldest that there is no room for */
export function withArrived(
  events: readonly SeenEvent[],
  arrived: readonly SeenEvent[],
): { events: SeenEvent[]; dropped: number } {
  const all = [...events, ...arrived]
  let first = Math.max(0, all.length - MAX_EVENTS)
  let chars = 0
  // The newest is kept whatever its size.
  for (let at = all.length - 1; at >= first; at--) {
    chars += (all[at] as SeenEvent).size
    if (chars > MAX_CHARS) first = Math.min(at + 1, all.length - 1)
  }
  return { events: all.slice(first), dropped: first }
}
