/** Work on stored objects one after another, each as it is when its turn comes. */
import type { Engine } from '../engine'

/** Keys to look at: one at a time, in the order in which they were named, each once however often it was named meanwhile. */
export class Settling {
  private readonly waiting = new Set<string>()
  private working = false
  private stopped = false

  /** @param settle looks at one key; what it throws is reported, and the others go on */
  constructor(
    private readonly engine: Engine,
    private readonly settle: (key: string) => Promise<void>,
  ) {}

  lookAt(key: string): void {
    this.waiting.add(key)
    if (!this.working) void this.work()
  }

  stop(): void {
    this.stopped = true
  }

  private async work(): Promise<void> {
    this.working = true
    for (const key of this.waiting) {
      this.waiting.delete(key)
      if (this.stopped) break
      try {
        await this.settle(key)
      } catch (error) {
        this.engine.log.error(`${key} could not be settled`, error)
      }
    }
    this.working = false
  }
}
