/** Backoff of replacing failed pods on a node. */

const FIRST_MILLISECONDS = 1_000
const LONGEST_MILLISECONDS = 15 * 60_000
/** The backoff resets after this time. */
const RESET_MILLISECONDS = 2 * LONGEST_MILLISECONDS

export class Backoff {
  private readonly waits = new Map<string, { wait: number; since: number }>()

  /** @returns milliseconds left; 0 also starts the next, longer delay */
  next(key: string, now: number): number {
    const known = this.waits.get(key)
    if (known === undefined || now - known.since > RESET_MILLISECONDS) {
      for (const [old, { since }] of this.waits)
        if (now - since > RESET_MILLISECONDS) this.waits.delete(old)
      this.waits.set(key, { wait: FIRST_MILLISECONDS, since: now })
      return 0
    }
    const left = known.since + known.wait - now
    if (left > 0) return left
    this.waits.set(key, { wait: Math.min(known.wait * 2, LONGEST_MILLISECONDS), since: now })
    return 0
  }
}
