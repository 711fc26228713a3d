/** The cluster clock in a browser, which continues after a stop. */
import { type ClockState, ClusterClock } from '../../engine/time/cluster-clock'
import type { PersistentStore } from '../../persistence/indexeddb'
import { systemClock } from './environment'

interface StoredClock {
  time: number
  rate: number
  real: number
}

/** Interval of saves under accelerated time. A crash repeats at most this much real time. */
const SAVE_INTERVAL_MS = 2000

export class PersistedClock {
  readonly clock: ClusterClock
  private callOff = (): void => {}

  /** @param stored by an earlier engine; undefined: real time */
  constructor(
    private readonly store: Pick<PersistentStore, 'saveClock'>,
    stored: unknown,
  ) {
    this.clock = new ClusterClock(
      systemClock,
      stored === undefined ? {} : resumed(stored as StoredClock),
    )
    this.goOn()
  }

  state(): ClockState {
    return this.clock.state()
  }

  /** @throws RangeError for an unsupported rate */
  async steer({ rate, step }: { rate?: number; step?: boolean }): Promise<ClockState> {
    if (rate !== undefined) this.clock.setRate(rate)
    if (step) await this.clock.step()
    await this.save()
    this.goOn()
    return this.clock.state()
  }

  stop(): void {
    this.callOff()
    this.clock.stop()
  }

  private save(): Promise<void> {
    return this.store.saveClock(clockToStore(this.clock.state()))
  }

  private goOn(): void {
    this.callOff()
    if (this.clock.rate === 0 || this.clock.rate === 1) return
    this.callOff = systemClock.after(SAVE_INTERVAL_MS, () => {
      this.save().catch(() => undefined)
      this.goOn()
    })
  }
}

export const clockToStore = ({ time, rate }: Pick<ClockState, 'time' | 'rate'>): StoredClock => ({
  time,
  rate,
  real: systemClock.now(),
})

/**
 * Real time continues while the engine is stopped. Accelerated time does not: a night would be
 * years.
 */
function resumed({ time, rate, real }: StoredClock): { time: number; rate: number } {
  return { time: rate === 1 ? time + (systemClock.now() - real) : time, rate }
}
