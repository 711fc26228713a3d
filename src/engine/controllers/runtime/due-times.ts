/** What is to happen when: one timer of the engine's clock stands for all of it, set for what is due first. */
import type { Clock } from '../../environment'

interface Entry {
  at: number
  order: number
  run: () => void
}

export class DueTimes {
  /** Soonest last, so that what is due comes off the end. */
  private readonly entries: Entry[] = []
  private order = 0
  private armedFor = Number.POSITIVE_INFINITY
  private disarm = (): void => {}

  constructor(private readonly clock: Clock) {}

  /** @param at milliseconds since the epoch @returns how to call it off */
  at(at: number, run: () => void): () => void {
    const entry = { at, order: this.order++, run }
    this.entries.splice(this.placeOf(entry), 0, entry)
    this.arm()
    return () => {
      const place = this.entries.indexOf(entry)
      if (place >= 0) this.entries.splice(place, 1)
    }
  }

  stop(): void {
    this.entries.length = 0
    this.disarm()
  }

  private placeOf(entry: Entry): number {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.entries[middle] as Entry
      if (other.at > entry.at || (other.at === entry.at && other.order > entry.order)) low = middle + 1
      else high = middle
    }
    return low
  }

  private arm(): void {
    const next = this.entries.at(-1)
    if (next === undefined || next.at >= this.armedFor) return
    this.disarm()
    this.armedFor = next.at
    this.disarm = this.clock.after(next.at - this.clock.now(), () => this.fire())
  }

  private fire(): void {
    this.armedFor = Number.POSITIVE_INFINITY
    const now = this.clock.now()
    for (let next = this.entries.at(-1); next !== undefined && next.at <= now; next = this.entries.at(-1)) {
      this.entries.pop()
      next.run()
    }
    this.arm()
  }
}
