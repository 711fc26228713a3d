/** All callbacks share one timer, set for the earliest. */
import type { Clock, Log } from '../../core/environment'
import { Wheel } from '../../time/wheel'

export class DueTimes {
  private readonly wheel = new Wheel()
  private armedFor = Number.POSITIVE_INFINITY
  private disarm = (): void => {}

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** @param at milliseconds since the epoch @returns cancels */
  at(at: number, run: () => void): () => void {
    const callOff = this.wheel.set(at, run)
    this.arm()
    return callOff
  }

  stop(): void {
    this.wheel.clear()
    this.disarm()
  }

  private arm(): void {
    const next = this.wheel.next()
    if (next === undefined || next >= this.armedFor) return
    this.disarm()
    this.armedFor = next
    this.disarm = this.clock.after(next - this.clock.now(), () => this.fire())
  }

  private fire(): void {
    this.armedFor = Number.POSITIVE_INFINITY
    const now = this.clock.now()
    for (let run = this.wheel.take(now); run !== undefined; run = this.wheel.take(now)) {
      try {
        run()
      } catch (error) {
        this.log.error('something that was due failed', error)
      }
    }
    this.arm()
  }
}
