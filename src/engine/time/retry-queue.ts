import { backoffAfter, type RetryContext } from './retries'

/** Processes unique keys one at a time, in order, as client-go's workqueue. */
export class RetryQueue {
  private readonly waiting = new Set<string>()
  /** `times`: failures in a row. */
  private readonly failed = new Map<string, { times: number; callOff: () => void }>()
  private working = false
  private stopped = false

  /** @param process on error the key is logged and retried */
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
