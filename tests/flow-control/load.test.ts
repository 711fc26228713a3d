/** How many requests execute is followed over time, in periods of ten seconds (source of the real server, "seatDemandStats"). */
import { expect, it } from 'vitest'
import { Load, type Timed } from '../../src/engine/flow-control/load'

const request = (begun: number, end: number): Timed => ({
  begun,
  took: end - begun,
  waits: undefined,
})

/** Requests that begin and end so, in the order in which it happens. */
function follow(load: Load, spans: readonly (readonly [begun: number, end: number])[]): void {
  const requests = spans.map(([begun, end]) => request(begun, end))
  const events = requests.flatMap((one) => [
    { at: one.begun, run: () => load.enter(one) },
    { at: one.begun + one.took, run: () => load.leave(one) },
  ])
  for (const { run } of events.sort((a, b) => a.at - b.at)) run()
}

it('accounts for each number of requests by itself, once', () => {
  const load = new Load(0)
  follow(load, [
    [100, 400],
    [150, 160],
  ])
  expect(load.take(1000)).toEqual([700, 290, 10])
  expect(load.take(1500)).toEqual([500])
})

it('counts from when a request that waited began to execute', () => {
  const load = new Load(0)
  load.enter({ begun: 100, took: 0, waits: { execution: 200 } })
  load.leave({ begun: 100, took: 400, waits: { execution: 200 } })
  expect(load.take(600)).toEqual([400, 200])
})

it('knows the demand of the period that ended', () => {
  const load = new Load(0)
  follow(load, [
    [0, 10_000],
    [5000, 10_000],
  ])
  load.take(10_500)
  expect(load.demand).toEqual({ highWatermark: 2, average: 1.5, deviation: 0.5, smoothed: 2 })
})

it('knows the most of each period and of the last second by itself', () => {
  const load = new Load(0)
  follow(load, [
    [9500, 9900],
    [9500, 9900],
    [9500, 9900],
    [10_100, 10_200],
    [10_150, 10_200],
  ])
  expect(load.peakOf(10_300)).toBe(3)
  expect(load.peakOf(11_000)).toBe(2)
  expect(load.peakOf(13_000)).toBe(0)
  expect(load.demand.highWatermark).toBe(3)
  load.take(20_000)
  expect(load.demand.highWatermark).toBe(2)
})

it('counts more requests at once than it had room for', () => {
  const load = new Load(0)
  follow(
    load,
    Array.from({ length: 40 }, (_, i) => [i, 100 - i] as const),
  )
  const taken = load.take(100)
  expect(taken).toHaveLength(41)
  expect(taken.reduce((all, time) => all + time, 0)).toBe(100)
  expect(load.peakOf(100)).toBe(40)
})

it('halves past demand in five minutes', () => {
  const load = new Load(0)
  follow(
    load,
    Array.from({ length: 10 }, () => [0, 10_000] as const),
  )
  load.take(310_000)
  expect(load.demand).toMatchObject({ highWatermark: 0, average: 0 })
  expect(load.demand.smoothed).toBeCloseTo(5, 1)
})

it('passes over years in which nothing changed', () => {
  const load = new Load(0)
  for (let i = 0; i < 3; i++) load.enter(request(0, 0))
  const years = 10 * 365 * 24 * 3_600_000
  const taken = load.take(years)
  expect(taken.reduce((all, time) => all + time, 0)).toBe(years)
  expect(load.demand).toEqual({ highWatermark: 3, average: 3, deviation: 0, smoothed: 3 })
})
