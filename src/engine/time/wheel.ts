/** What is to happen when, in order of time; what falls due at one instant in the order in which it was set. */

interface Entry {
  at: number
  order: number
  run: () => void
}

export class Wheel {
  /** Soonest last, so that what is due comes off the end. */
  private readonly entries: Entry[] = []
  private order = 0

  /** @param at milliseconds since the epoch @returns how to call it off */
  set(at: number, run: () => void): () => void {
    const entry = { at, order: this.order++, run }
    this.entries.splice(this.placeOf(entry), 0, entry)
    return () => {
      const place = this.entries.indexOf(entry)
      if (place >= 0) this.entries.splice(place, 1)
    }
  }

  /** When something is due next; undefined: never. */
  next(): number | undefined {
    return this.entries.at(-1)?.at
  }

  /** Takes off what is due first, if it is due by then. */
  take(until: number): (() => void) | undefined {
    const next = this.entries.at(-1)
    if (next === undefined || next.at > until) return undefined
    this.entries.pop()
    return next.run
  }

  clear(): void {
    this.entries.length = 0
  }

  private placeOf(entry: Entry): number {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.entries[middle] as Entry
      if (other.at > entry.at || (other.at === entry.at && other.order > entry.order))
        low = middle + 1
      else high = middle
    }
    return low
  }
}
