/** Backoff of the replacement of failed pods on a node: one second, doubled each time. */

const FIRST_MILLISECONDS = 1_000
const LONGEST_MILLISECONDS = 15 * 60_000
/** Time without a failure after which the backoff is reset. */
const RESET_MILLISECONDS = 2 * LONGEST_MILLISECONDS

export class Backoff {
  private readonly waits = new Map<string, { wait: number; since: number }>()

  /**
   * @param key what is delayed
   * @returns the remaining delay in milliseconds; 0 also starts the next, longer delay
   */
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
