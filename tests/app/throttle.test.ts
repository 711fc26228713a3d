/** What changes often is shown at a pace that a person can follow, and the page can keep. */
import { array, integer, property, assert as propertyHolds } from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { throttle } from '../../src/app/state/throttle'

const PACE = { leadingMs: 30, intervalMs: 100 }

describe('gathered updates', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('makes one update of a thousand changes between two pictures', () => {
    const show = vi.fn()
    const { schedule } = throttle(show, PACE)
    for (let change = 0; change < 1000; change++) schedule()
    expect(show).not.toHaveBeenCalled()
    vi.advanceTimersByTime(PACE.leadingMs)
    expect(show).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(10_000)
    expect(show).toHaveBeenCalledTimes(1)
  })

  it('shows a change after a quiet time soon, and those of a stream apart', () => {
    const show = vi.fn()
    const { schedule } = throttle(show, PACE)
    schedule()
    vi.advanceTimersByTime(PACE.leadingMs)
    expect(show).toHaveBeenCalledTimes(1)
    schedule()
    vi.advanceTimersByTime(PACE.intervalMs - 1)
    expect(show).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(show).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(5_000)
    schedule()
    vi.advanceTimersByTime(PACE.leadingMs)
    expect(show).toHaveBeenCalledTimes(3)
  })

  it('flushes pending updates at once, and then not again', () => {
    const show = vi.fn()
    const { schedule, flush } = throttle(show, PACE)
    flush()
    expect(show).not.toHaveBeenCalled()
    schedule()
    flush()
    vi.advanceTimersByTime(1_000)
    expect(show).toHaveBeenCalledTimes(1)
  })

  it('shows every change within its time, and never more often than is set', () => {
    propertyHolds(
      property(array(integer({ min: 0, max: 250 }), { maxLength: 60 }), (pauses) => {
        const begun = performance.now()
        const updates: number[] = []
        let waiting: number | undefined
        const { schedule } = throttle(() => {
          const now = performance.now() - begun
          expect(now - (waiting as number)).toBeLessThanOrEqual(PACE.intervalMs)
          waiting = undefined
          updates.push(now)
        }, PACE)
        for (const pause of pauses) {
          waiting ??= performance.now() - begun
          schedule()
          vi.advanceTimersByTime(pause)
        }
        vi.advanceTimersByTime(1_000)
        expect(waiting).toBeUndefined()
        for (const [index, at] of updates.entries())
          if (index > 0)
            expect(at - (updates[index - 1] as number)).toBeGreaterThanOrEqual(PACE.intervalMs)
      }),
    )
  })
})
