/**
 * A watch can run for days: its stored events are limited in number and size, and dropped events
 * are counted.
 */
import { array, integer, property, assert as propertyHolds } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_EVENTS, withArrived } from '../../src/app/state/kept-events'
import type { SeenEvent } from '../../src/app/state/seen-event'

let lastId = 0
const event = (size: number): SeenEvent => {
  const id = ++lastId
  return {
    id,
    at: id,
    type: 'MODIFIED',
    name: 'a',
    namespace: '',
    resourceVersion: String(id),
    object: {},
    size,
    past: false,
  }
}

const MEGABYTE = 1_000_000

describe('events that are kept', () => {
  it('are the newest five thousand', () => {
    const first = Array.from({ length: MAX_EVENTS }, () => event(500))
    expect(withArrived([], first)).toEqual({ events: first, dropped: 0 })
    const arrived = [event(500), event(500)]
    expect(withArrived(first, arrived)).toEqual({
      events: [...first.slice(2), ...arrived],
      dropped: 2,
    })
  })

  it('are fewer where they are large, but never none', () => {
    const large = Array.from({ length: 40 }, () => event(MEGABYTE))
    const { events, dropped } = withArrived([], large)
    expect(events).toEqual(large.slice(dropped))
    expect(dropped).toBe(10)
    const huge = event(100 * MEGABYTE)
    expect(withArrived(events, [huge])).toEqual({ events: [huge], dropped: 30 })
  })

  it('are those that a naive reader would keep, however they arrive', () => {
    propertyHolds(
      property(
        array(array(integer({ min: 1, max: 20 * MEGABYTE }), { maxLength: 6 }), { maxLength: 12 }),
        (bursts) => {
          let kept: SeenEvent[] = []
          const all: SeenEvent[] = []
          let dropped = 0
          for (const burst of bursts) {
            const arrived = burst.map(event)
            all.push(...arrived)
            const next = withArrived(kept, arrived)
            kept = next.events
            dropped += next.dropped
            expect(all.length).toBe(kept.length + dropped)
            expect(kept).toEqual(all.slice(dropped))
            const size = kept.reduce((sum, { size }) => sum + size, 0)
            expect(size <= 30 * MEGABYTE || kept.length === 1).toBe(true)
          }
        },
      ),
    )
  })
})
