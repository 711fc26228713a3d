/** One time axis for all lanes. Each event has a column; lanes share the column of a write. */

import type { SeenEvent } from '../../state/seen-event'
import type { Compaction, RunningWatch } from './state'

/** Minimum distance between centers of marks. */
export const MARK = 16
const MARGIN = 18
/** Pixels of idle time: `SECOND * log2(1 + seconds)`, at most `LONGEST`. */
const SECOND = 12
const LONGEST = 78
/** Minimum distance of times on the axis. */
const TICK = 92
export const COLUMNS = 600
/** Old events are removed in blocks of this size, so that positions rarely change. */
const BLOCK = 200

interface Instant {
  at: number
  key: string
  lane: number | undefined
  shared: string | undefined
}

export interface Timeline {
  width: number
  /** undefined for removed events. */
  xOf(key: string): number | undefined
  ticks: { x: number; at: number }[]
}

export const keyOfEvent = (id: number): string => `event ${id}`
export const keyOfBegin = (watch: number, index: number): string => `begin ${watch} ${index}`
export const keyOfEnd = (watch: number, index: number): string => `end ${watch} ${index}`
export const keyOfCompaction = (at: number): string => `compaction ${at}`

export function timelineOf(
  watches: readonly RunningWatch[],
  compactions: readonly Compaction[],
): Timeline {
  const events = recentEvents(watches)
  const since = events.oldest?.at ?? Number.NEGATIVE_INFINITY
  const instants = [
    ...watches.flatMap((watch) => instantsOf(watch, events.after)),
    ...compactions.map(compactionInstant),
  ]
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at - b.at)
    .slice(-COLUMNS)
  const places = new Map<string, number>()
  const shared = new Map<string, number>()
  const lastInLane = new Map<number | undefined, number>()
  const ticks: Timeline['ticks'] = []
  let x = MARGIN
  let before: number | undefined
  for (const instant of instants) {
    const known = instant.shared === undefined ? undefined : shared.get(instant.shared)
    if (known !== undefined && known > (lastInLane.get(instant.lane) ?? 0)) {
      places.set(instant.key, known)
      lastInLane.set(instant.lane, known)
      continue
    }
    if (before !== undefined) x += distance(instant.at - before)
    before = instant.at
    places.set(instant.key, x)
    lastInLane.set(instant.lane, x)
    if (instant.shared !== undefined) shared.set(instant.shared, x)
    const tick = ticks[ticks.length - 1]
    if (tick === undefined || x - tick.x >= TICK) ticks.push({ x, at: instant.at })
  }
  return { width: x + MARGIN, xOf: (key) => places.get(key), ticks }
}

/**
 * @returns the ID after which events are drawn, and the oldest drawn event if others are omitted
 */
function recentEvents(watches: readonly RunningWatch[]): {
  after: number
  oldest: SeenEvent | undefined
} {
  const newest = Math.max(0, ...watches.map(({ events }) => events.at(-1)?.id ?? 0))
  const after = Math.max(0, Math.floor((newest - COLUMNS) / BLOCK + 1) * BLOCK)
  if (!watches.some(({ events: [first] }) => first !== undefined && first.id <= after))
    return { after, oldest: undefined }
  const first = watches.flatMap(({ events }) => events.find(({ id }) => id > after) ?? [])
  return { after, oldest: first.sort((a, b) => a.at - b.at)[0] }
}

function distance(milliseconds: number): number {
  return Math.min(LONGEST, MARK + SECOND * Math.log2(1 + milliseconds / 1000))
}

function instantsOf({ id: lane, connections, events }: RunningWatch, after: number): Instant[] {
  return [
    ...connections.map(
      ({ begun }, index): Instant => ({
        at: begun,
        key: keyOfBegin(lane, index),
        lane,
        shared: undefined,
      }),
    ),
    ...events
      .slice(-COLUMNS)
      .filter(({ id }) => id > after)
      .map(
        ({ at, id, past, resourceVersion }): Instant => ({
          at,
          key: keyOfEvent(id),
          lane,
          shared: past || resourceVersion === '' ? undefined : resourceVersion,
        }),
      ),
    // After other events of the same time.
    ...connections.flatMap(({ ended }, index): Instant[] =>
      ended === undefined
        ? []
        : [{ at: ended, key: keyOfEnd(lane, index), lane, shared: undefined }],
    ),
  ].sort((a, b) => a.at - b.at)
}

function compactionInstant({ at }: Compaction): Instant {
  return { at, key: keyOfCompaction(at), lane: undefined, shared: undefined }
}
