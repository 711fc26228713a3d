/** What a client says before there is someone to hear it: until all of its streams have begun. */

/** More than what is typed, or a request that is sent at once. */
const MOST_BYTES = 1024 * 1024

export class Backlog<Target> {
  private target: Target | undefined
  private waiting: ((target: Target) => void)[] = []
  private bytes = 0

  /** @returns false if that is too much to keep */
  deliver(size: number, run: (target: Target) => void): boolean {
    if (this.target !== undefined) run(this.target)
    else {
      this.bytes += size
      if (this.bytes > MOST_BYTES) return false
      this.waiting.push(run)
    }
    return true
  }

  deliverTo(target: Target): void {
    this.target = target
    const { waiting } = this
    this.waiting = []
    for (const run of waiting) run(target)
  }
}
