/** Callbacks by due time; those of one instant in the order of `set`. */
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

  /** @param at milliseconds since the epoch @returns cancels the callback */
  set(at: number, run: () => void): () => void {
    const entry = this.entries.add({ at, order: this.order++, run })
    return () => this.entries.remove(entry)
  }

  /** The next due time; undefined without callbacks. */
  next(): number | undefined {
    return this.entries.first()?.at
  }

  /** Removes and returns the next callback if it is due. */
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
