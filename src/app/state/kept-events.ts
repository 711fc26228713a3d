import type { SeenEvent } from './seen-event'

export const MAX_EVENTS = 5000
const MAX_CHARS = 30_000_000

export function withArrived(
  events: readonly SeenEvent[],
  arrived: readonly SeenEvent[],
): { events: SeenEvent[]; dropped: number } {
  const all = [...events, ...arrived]
  let first = Math.max(0, all.length - MAX_EVENTS)
  let chars = 0
  // The newest event is kept whatever its size.
  for (let at = all.length - 1; at >= first; at--) {
    chars += (all[at] as SeenEvent).size
    if (chars > MAX_CHARS) first = Math.min(at + 1, all.length - 1)
  }
  return { events: all.slice(first), dropped: first }
}
