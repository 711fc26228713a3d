/** Evicts the least recently used entry. */
import type { Clock } from '../core/environment'

export class ExpiringCache<Value> {
  private readonly entries = new Map<string, { value: Value; until: number }>()

  constructor(
    private readonly size: number,
    private readonly clock: Clock,
  ) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.entries.delete(key)
    if (entry.until <= this.clock.now()) return undefined
    this.entries.set(key, entry)
    return entry.value
  }

  /** @param milliseconds 0: do not cache */
  put(key: string, value: Value, milliseconds: number): void {
    this.entries.delete(key)
    if (milliseconds <= 0) return
    if (this.entries.size >= this.size) {
      const [oldest] = this.entries.keys()
      if (oldest !== undefined) this.entries.delete(oldest)
    }
    this.entries.set(key, { value, until: this.clock.now() + milliseconds })
  }
}
