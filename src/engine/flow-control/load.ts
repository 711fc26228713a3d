/** Every request takes one seat. A request costs two updates; reading computes the rest. */

/** Milliseconds. */
const ADJUSTMENT_PERIOD = 10_000
/** The previous demand's weight, which halves in five minutes. */
const SMOOTHING = 0.977
/** After these unchanged periods the previous demand has no weight. */
const EXPIRES_AFTER = 2_000
const SECOND = 1000

/** Milliseconds of the stopwatch. */
export interface Timed {
  readonly begun: number
  readonly took: number
  readonly waits: { readonly execution: number } | undefined
}

/** Of the last adjustment period. */
export interface Demand {
  highWatermark: number
  average: number
  deviation: number
  smoothed: number
}

export class Load {
  readonly demand: Demand = { highWatermark: 0, average: 0, deviation: 0, smoothed: 0 }
  /** Milliseconds by number of executing requests. */
  private times: Float64Array = new Float64Array(8)
  /** Since the last `take`. */
  private total: Float64Array = new Float64Array(8)
  private executing = 0
  private highest = 0
  /** Integrals of the number and its square over the current period. */
  private sum = 0
  private squares = 0
  private peak = 0
  private peakBefore = 0
  private periodEnd: number
  private secondEnd: number

  /** @param changed milliseconds; the first period starts then */
  constructor(private changed: number) {
    this.periodEnd = changed + ADJUSTMENT_PERIOD
    this.secondEnd = changed + SECOND
  }

  enter({ begun, waits }: Timed): void {
    const now = waits === undefined ? begun : begun + waits.execution
    if (now >= this.secondEnd) this.endSecond(now)
    if (now >= this.periodEnd) this.endPeriods(now)
    this.pass(now)
    const executing = this.executing + 1
    this.executing = executing
    if (executing > this.peak || executing > this.highest) this.rise(executing)
  }

  leave({ begun, took }: Timed): void {
    const now = begun + took
    if (now >= this.periodEnd) this.endPeriods(now)
    this.pass(now)
    this.executing--
  }

  /** Milliseconds by number of executing requests. */
  take(now: number): readonly number[] {
    if (now >= this.periodEnd) this.endPeriods(now)
    this.pass(now)
    this.settle()
    const most = this.total.findLastIndex((time) => time > 0)
    const taken = [...this.total.subarray(0, most + 1)]
    this.total.fill(0)
    return taken
  }

  /** In the last and the current second. */
  peakOf(now: number): number {
    if (now >= this.secondEnd) this.endSecond(now)
    return Math.max(this.peakBefore, this.peak)
  }

  private rise(executing: number): void {
    this.peak = Math.max(this.peak, executing)
    this.highest = Math.max(this.highest, executing)
    if (executing < this.times.length) return
    this.times = enlarged(this.times, 2 * executing)
    this.total = enlarged(this.total, 2 * executing)
  }

  private endSecond(now: number): void {
    this.peakBefore = now < this.secondEnd + SECOND ? this.peak : this.executing
    this.peak = this.executing
    this.secondEnd += (Math.floor((now - this.secondEnd) / SECOND) + 1) * SECOND
  }

  private pass(now: number): void {
    const elapsed = now - this.changed
    if (elapsed <= 0) return
    this.times[this.executing] = (this.times[this.executing] as number) + elapsed
    this.changed = now
  }

  private settle(): void {
    const { times, total } = this
    times.forEach((time, executing) => {
      if (time === 0) return
      this.sum += executing * time
      this.squares += executing * executing * time
      total[executing] = (total[executing] as number) + time
    })
    times.fill(0)
  }

  private endPeriods(now: number): void {
    const unchanged = Math.floor((now - this.periodEnd) / ADJUSTMENT_PERIOD)
    this.endPeriod()
    if (unchanged > EXPIRES_AFTER) {
      this.pass(this.changed + (unchanged - EXPIRES_AFTER) * ADJUSTMENT_PERIOD)
      this.beginPeriod()
    }
    for (let period = 0; period < Math.min(unchanged, EXPIRES_AFTER); period++) this.endPeriod()
  }

  private endPeriod(): void {
    const { demand } = this
    this.pass(this.periodEnd)
    this.settle()
    const average = this.sum / ADJUSTMENT_PERIOD
    const deviation = Math.sqrt(Math.max(0, this.squares / ADJUSTMENT_PERIOD - average * average))
    const envelope = average + deviation
    demand.highWatermark = this.highest
    demand.average = average
    demand.deviation = deviation
    demand.smoothed = Math.max(envelope, SMOOTHING * demand.smoothed + (1 - SMOOTHING) * envelope)
    this.beginPeriod()
  }

  private beginPeriod(): void {
    this.settle()
    this.highest = this.executing
    this.sum = 0
    this.squares = 0
    this.periodEnd = this.changed + ADJUSTMENT_PERIOD
  }
}

function enlarged(array: Float64Array, length: number): Float64Array {
  const larger = new Float64Array(length)
  larger.set(array)
  return larger
}
