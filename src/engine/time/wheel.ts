/** Orders callbacks by due time, then by `set` order. */
import { Heap } from '../core/heap'

interface Entry {
  at: number
  order: number
  run: () => void
}

export class Wheel {
  private readonly entries = new Heap<Entry>(
    (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order),
  )
  private order = 0

  /** @param at milliseconds since the epoch @returns cancels */
  set(at: number, run: () => void): () => void {
    const entry = this.entries.add({ at, order: this.order++, run })
    return () => this.entries.remove(entry)
  }

  next(): number | undefined {
    return this.entries.first()?.at
  }

  /** Removes and returns the next due callback. */
  take(until: number): (() => void) | undefined {
    const next = this.entries.first()
    if (next === undefined || next.at > until) return undefined
    this.entries.take()
    return next.run
  }

  clear(): void {
    this.entries.clear()
  }
}
