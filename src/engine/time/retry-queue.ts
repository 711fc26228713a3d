import { backoffAfter, type RetryContext } from './retries'

/**
 * A queue of unique keys, processed one at a time in order. Corresponds to client-go's workqueue.
 */
export class RetryQueue {
  private readonly waiting = new Set<string>()
  /** Failed keys: number of failures in a row, and a function that cancels the retry. */
  private readonly failed = new Map<string, { times: number; callOff: () => void }>()
  private working = false
  private stopped = false

  /** @param process handles one key; after an error, which is logged, the key is retried */
  constructor(
    private readonly patient: RetryContext,
    private readonly process: (key: string) => Promise<void>,
  ) {}

  add(key: string): void {
    this.waiting.add(key)
    if (!this.working) void this.work()
  }

  stop(): void {
    this.stopped = true
    for (const { callOff } of this.failed.values()) callOff()
  }

  private async work(): Promise<void> {
    this.working = true
    for (const key of this.waiting) {
      this.waiting.delete(key)
      if (this.stopped) break
      this.failed.get(key)?.callOff()
      try {
        await this.process(key)
        this.failed.delete(key)
      } catch (error) {
        this.patient.log.error(`${key} could not be settled`, error)
        this.retryLater(key)
      }
    }
    this.working = false
  }

  private retryLater(key: string): void {
    if (this.stopped) return
    const times = (this.failed.get(key)?.times ?? 0) + 1
    this.failed.set(key, {
      times,
      callOff: this.patient.wallClock.after(backoffAfter(times), () => this.add(key)),
    })
  }
}
