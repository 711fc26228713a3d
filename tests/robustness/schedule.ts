/** Decides in which order everything happens that waits: one at a time, at random, and the same again for the same seed. */
import type { Chance } from './chance'

export class Schedule {
  private readonly waiting: (() => void)[] = []
  private time = 0
  private isAbandoned = false

  constructor(private readonly chance: Chance) {}

  /** A unique time. */
  now(): number {
    return ++this.time
  }

  /** Resolves when the caller is scheduled; never in an abandoned world. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isAbandoned) this.waiting.push(resolve)
    })
  }

  /** Ends `run` in spite of pending callers. */
  abandon(): void {
    this.isAbandoned = true
    this.waiting.length = 0
  }

  async turns(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.turn()
  }

  /** Gives turns until no one waits for one. */
  async run(): Promise<void> {
    await settled()
    while (this.waiting.length > 0) {
      const at = this.chance.below(this.waiting.length)
      const last = this.waiting.pop() as () => void
      const chosen = at < this.waiting.length ? (this.waiting[at] as () => void) : last
      if (at < this.waiting.length) this.waiting[at] = last
      chosen()
      await settled()
    }
  }
}

/** Everything that can go on without a turn has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
