/** Buffers a client's bytes until all of its streams are open. */

/** More than typed input or a first request needs. */
const MOST_BYTES = 1024 * 1024

export class Backlog<Target> {
  private target: Target | undefined
  private waiting: ((target: Target) => void)[] = []
  private bytes = 0

  /** @returns false above the limit */
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
