/**
 * The clock advances from one due time to the next and waits for the work in between. So timers run
 * at exact times on slow machines: a day in a minute has the history of a real day.
 */
import type { Clock } from '../core/environment'
import { Wheel } from './wheel'

export const FASTEST = 1000

export interface ClockState {
  time: number
  rate: number
  next: number | undefined
}

export interface ClusterClockOptions {
  /** Start of cluster time; absent: real time. */
  time?: number
  rate?: number
}

export class ClusterClock implements Clock {
  private readonly wheel = new Wheel()
  /** Cluster time at a real time. */
  private anchor: { time: number; real: number }
  private speed: number
  /** Latest real time seen, and cluster time then. */
  private latest: { time: number; real: number }
  private held = false
  private disarm = (): void => {}
  private readonly waiting: (() => void)[] = []

  constructor(
    private readonly real: Clock,
    { time = real.now(), rate = 1 }: ClusterClockOptions = {},
  ) {
    this.anchor = { time, real: real.now() }
    this.latest = this.anchor
    this.speed = checkedRate(rate)
  }

  now(): number {
    if (this.isPaused()) return this.anchor.time
    const seen = this.real.now()
    // The machine's clock was set back: timers must not wait for that time twice.
    if (seen < Math.max(this.latest.real, this.anchor.real)) {
      this.anchor = { time: Math.max(this.latest.time, this.anchor.time), real: seen }
    }
    const { time, real } = this.anchor
    const now = time + (seen - real) * this.speed
    // In real time timers may be late; otherwise time waits for them.
    const shown = this.speed === 1 ? now : Math.min(now, Math.max(time, this.wheel.next() ?? now))
    this.latest = { time: shown, real: seen }
    return shown
  }

  after(milliseconds: number, run: () => void): () => void {
    const callOff = this.wheel.set(this.now() + Math.max(0, milliseconds), run)
    this.arm()
    return callOff
  }

  get rate(): number {
    return this.speed
  }

  state(): ClockState {
    return { time: this.now(), rate: this.speed, next: this.wheel.next() }
  }

  /** @throws RangeError below 0 or above FASTEST */
  setRate(rate: number): void {
    checkedRate(rate)
    this.settle()
    this.speed = rate
    this.arm()
  }

  /** Pauses cluster time during engine work, except in real time. */
  hold(): void {
    if (this.speed !== 1) this.settle()
    this.held = true
    if (this.speed !== 1) this.arm()
  }

  release(): void {
    if (this.speed !== 1) this.settle()
    this.held = false
    for (const go of this.waiting.splice(0)) go()
    if (this.speed !== 1) this.arm()
  }

  /**
   * Advances a paused clock to its next timer.
   * @returns false without a timer, else true when the resulting work is done
   */
  async step(): Promise<boolean> {
    await this.free()
    const next = this.wheel.next()
    if (next === undefined) return false
    this.anchor = { time: Math.max(this.now(), next), real: this.real.now() }
    try {
      this.ring(next)
    } finally {
      this.arm()
    }
    await this.free()
    return true
  }

  /** Advances by `milliseconds`, each timer at its exact time. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.now() + milliseconds
    for (let next = this.wheel.next(); next !== undefined && next <= end; next = this.wheel.next())
      await this.step()
    await this.free()
    this.anchor = { time: Math.max(this.now(), end), real: this.real.now() }
    this.arm()
  }

  stop(): void {
    this.wheel.clear()
    this.disarm()
  }

  /** Resolves when no work runs or is about to start. */
  private async free(): Promise<void> {
    do {
      // Watchers start work in the next macrotask at the latest.
      await new Promise<void>((resolve) => this.real.after(0, resolve))
      if (this.held) await new Promise<void>((resolve) => this.waiting.push(resolve))
    } while (this.held)
  }

  private isPaused(): boolean {
    return this.speed === 0 || (this.held && this.speed !== 1)
  }

  private settle(): void {
    this.anchor = { time: this.now(), real: this.real.now() }
  }

  private arm(): void {
    this.disarm()
    const next = this.wheel.next()
    if (next === undefined || this.isPaused()) return
    this.disarm = this.real.after(Math.max(0, next - this.now()) / this.speed, () => this.fire())
  }

  /** One instant at a time: its work comes first. */
  private fire(): void {
    const next = this.wheel.next()
    if (next === undefined || this.isPaused()) return
    try {
      if (this.speed === 1) this.ring(this.now())
      else if (next <= this.now()) {
        this.settle()
        this.ring(next)
      }
    } finally {
      this.arm()
    }
  }

  private ring(until: number): void {
    for (let run = this.wheel.take(until); run !== undefined; run = this.wheel.take(until)) run()
  }
}

function checkedRate(rate: number): number {
  if (!(rate >= 0 && rate <= FASTEST))
    throw new RangeError(
      `time runs between 0 and ${FASTEST} times as fast as real time, not ${rate} times`,
    )
  return rate
}
