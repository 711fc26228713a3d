/** How long a node waits before the next of its pods that failed is replaced: a second, and twice as long each time. */

const FIRST_MILLISECONDS = 1_000
const LONGEST_MILLISECONDS = 15 * 60_000
/** After so long without a failure everything begins anew. */
const FORGOTTEN_MILLISECONDS = 2 * LONGEST_MILLISECONDS

export class Backoff {
  private readonly waits = new Map<string, { wait: number; since: number }>()

  /**
   * @param key what waits
   * @returns milliseconds that are still to be waited; 0: now, and the next time longer
   */
  next(key: string, now: number): number {
    const known = this.waits.get(key)
    if (known === undefined || now - known.since > FORGOTTEN_MILLISECONDS) {
      for (const [old, { since }] of this.waits)
        if (now - since > FORGOTTEN_MILLISECONDS) this.waits.delete(old)
      this.waits.set(key, { wait: FIRST_MILLISECONDS, since: now })
      return 0
    }
    const left = known.since + known.wait - now
    if (left > 0) return left
    this.waits.set(key, { wait: Math.min(known.wait * 2, LONGEST_MILLISECONDS), since: now })
    return 0
  }
}
