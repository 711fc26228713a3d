/** The cluster's time in a browser: it goes on from where it was when the engine was put to sleep. */
import { type ClockState, ClusterClock } from '../../engine/time/cluster-clock'
import type { PersistentStore } from '../../persistence/indexeddb'
import { systemClock } from './environment'

/** How the clock stood at a real time. */
interface StoredClock {
  time: number
  rate: number
  real: number
}

/** While time runs fast it is written down so often: as much real time may be lived through again. */
const SAVE_INTERVAL_MS = 2000

export class PersistedClock {
  readonly clock: ClusterClock
  private callOff = (): void => {}

  /** @param kept by an engine before; undefined: the cluster's time is the real one */
  constructor(
    private readonly store: Pick<PersistentStore, 'saveClock'>,
    kept: unknown,
  ) {
    this.clock = new ClusterClock(
      systemClock,
      kept === undefined ? {} : resumed(kept as StoredClock),
    )
    this.goOn()
  }

  state(): ClockState {
    return this.clock.state()
  }

  /** @throws RangeError for a speed that there is not */
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

  /** Only time that runs fast has to be written down again and again. */
  private goOn(): void {
    this.callOff()
    if (this.clock.rate === 0 || this.clock.rate === 1) return
    this.callOff = systemClock.after(SAVE_INTERVAL_MS, () => {
      // What cannot be written now may be later.
      this.save().catch(() => undefined)
      this.goOn()
    })
  }
}

/** As it is written down. */
export const clockToStore = ({ time, rate }: Pick<ClockState, 'time' | 'rate'>): StoredClock => ({
  time,
  rate,
  real: systemClock.now(),
})

/** Real time has gone on meanwhile; fast time has not, or a night would be years. */
function resumed({ time, rate, real }: StoredClock): { time: number; rate: number } {
  return { time: rate === 1 ? time + (systemClock.now() - real) : time, rate }
}
