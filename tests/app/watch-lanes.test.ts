/** The time axis of the watches: everything in order, nothing over another, one write in one column. */
import { array, boolean, integer, property, assert as propertyHolds, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  COLUMNS,
  keyOfBegin,
  keyOfCompaction,
  keyOfEnd,
  keyOfEvent,
  MARK,
  timelineOf,
} from '../../src/app/features/watches/layout'
import type { RunningWatch } from '../../src/app/features/watches/state'
import type { SeenEvent } from '../../src/app/state/seen-event'

let lastId = 0

function seen(at: number, resourceVersion: string, past = false): SeenEvent {
  return {
    id: ++lastId,
    at,
    type: 'MODIFIED',
    name: 'a',
    namespace: '',
    resourceVersion,
    object: {},
    size: 2,
    past,
  }
}

function lane(
  id: number,
  connections: RunningWatch['connections'],
  events: SeenEvent[],
): RunningWatch {
  const resource = {
    group: '',
    version: 'v1',
    resource: 'pods',
    kind: 'Pod',
    namespaced: true,
    verbs: [],
    shortNames: [],
    subresources: [],
  }
  const options = {
    resource,
    namespace: '',
    labelSelector: '',
    fieldSelector: '',
    resourceVersion: '',
    bookmarks: false,
  }
  return { id, options, title: 'pods', state: 'open', connections, events, held: [], dropped: 0 }
}

describe('the time axis of watches', () => {
  it('keeps the order of connections, events, cuts and compactions', () => {
    const event = seen(20, '5')
    const watch = lane(
      1,
      [
        { begun: 10, from: '', ended: 30, how: 'cut' },
        { begun: 50, from: '5' },
      ],
      [event],
    )
    const { xOf } = timelineOf([watch], [{ at: 40, revision: 6 }])
    const places = [
      keyOfBegin(1, 0),
      keyOfEvent(event.id),
      keyOfEnd(1, 0),
      keyOfCompaction(40),
      keyOfBegin(1, 1),
    ].map(xOf)
    expect(places).toEqual([...places].sort((a = 0, b = 0) => a - b))
    expect(new Set(places).size).toBe(5)
  })

  it('draws a quiet time longer than none, but never long', () => {
    const [one, two, three, four] = [
      seen(0, '1'),
      seen(10, '2'),
      seen(5_000, '3'),
      seen(9_000_000, '4'),
    ]
    const { xOf } = timelineOf([lane(1, [], [one, two, three, four])], [])
    const [a = 0, b = 0, c = 0, d = 0] = [one, two, three, four].map(({ id }) =>
      xOf(keyOfEvent(id)),
    )
    expect(b - a).toBeLessThan(c - b)
    expect(c - b).toBeLessThan(d - c)
    expect(d - c).toBeLessThan(100)
  })

  it('puts the events of one write in two watches into one column, and replayed ones into their own', () => {
    const [first, second, replayed] = [seen(10, '7'), seen(13, '7'), seen(12, '7', true)]
    const { xOf } = timelineOf(
      [lane(1, [], [first]), lane(2, [], [second]), lane(3, [], [replayed])],
      [],
    )
    expect(xOf(keyOfEvent(first.id))).toBe(xOf(keyOfEvent(second.id)))
    expect(xOf(keyOfEvent(first.id))).not.toBe(xOf(keyOfEvent(replayed.id)))
  })

  it('never overlaps two marks of a lane, and keeps their order', () => {
    const events = array(
      record({
        at: integer({ min: 0, max: 100_000 }),
        version: integer({ min: 1, max: 30 }),
        past: boolean(),
      }),
      {
        maxLength: 60,
      },
    )
    propertyHolds(
      property(array(events, { maxLength: 4 }), (lanes) => {
        const watches = lanes.map((entries, id) =>
          lane(
            id,
            [],
            entries
              .sort((a, b) => a.at - b.at)
              .map(({ at, version, past }) => seen(at, String(version), past)),
          ),
        )
        const { xOf, width } = timelineOf(watches, [])
        for (const watch of watches) {
          const places = watch.events.map(({ id }) => xOf(keyOfEvent(id)) as number)
          for (const [index, x] of places.entries()) {
            expect(x).toBeLessThanOrEqual(width)
            if (index > 0)
              expect(x - (places[index - 1] as number)).toBeGreaterThanOrEqual(MARK - 1e-6)
          }
        }
      }),
    )
  })

  it('draws the newest of many, and leaves them where they are but for one event in two hundred', () => {
    const events: SeenEvent[] = []
    let moves = 0
    let before: { id: number; x: number } | undefined
    for (let at = 0; at < 3_000; at += 20) {
      for (let burst = 0; burst < 10; burst++)
        events.push(seen(at + burst, String(at * 10 + burst)))
      const timeline = timelineOf([lane(1, [{ begun: 0, from: '' }], events)], [])
      const last = events.at(-1) as SeenEvent
      const placed = events.filter(({ id }) => timeline.xOf(keyOfEvent(id)) !== undefined)
      expect(placed.length).toBeLessThanOrEqual(COLUMNS)
      expect(placed).toEqual(events.slice(-placed.length))
      expect(placed.length).toBeGreaterThanOrEqual(Math.min(events.length, COLUMNS / 2))
      if (before && timeline.xOf(keyOfEvent(before.id)) !== before.x) moves++
      before = { id: last.id, x: timeline.xOf(keyOfEvent(last.id)) as number }
    }
    expect(events).toHaveLength(1500)
    expect(moves).toBeGreaterThan(0)
    expect(moves).toBeLessThanOrEqual(Math.ceil(1500 / 200))
  })
})
