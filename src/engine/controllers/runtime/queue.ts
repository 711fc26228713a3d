/**
 * Keys of objects to look at, each at most once at a time. What failed comes again after a while that doubles (5 ms up to 1000 s,
 * as the real work queues do).
 */
import type { Clock, Log } from '../../environment'
import { ApiError } from '../../http/status'
import type { QueueMeter } from '../../time/queue-meter'
import type { Work } from '../../time/work'
import type { DueTimes } from './due-times'

const FIRST_RETRY_MILLISECONDS = 5
const LONGEST_RETRY_MILLISECONDS = 1_000_000

export interface QueueOptions {
  name: string
  clock: Clock
  due: DueTimes
  log: Log
  work: Work
  /** Metrics of the queue; absent if none are recorded. */
  meter?: QueueMeter
  /** Runs when what is under way has been done: work must not begin inside a write. */
  defer(run: () => void): void
  /** Looks at one object and brings what is closer to what should be. A failure is tried again. */
  sync(key: string): Promise<void>
}

export class Queue {
  /** When each key was added, as the meter has it. */
  private readonly waiting = new Map<string, number>()
  private readonly failures = new Map<string, number>()
  private readonly later = new Map<string, { at: number; cancel: () => void }>()
  private working = false
  private open = false

  constructor(private readonly options: QueueOptions) {}

  add(key: string): void {
    if (!this.waiting.has(key)) this.waiting.set(key, this.options.meter?.added() ?? 0)
    this.wake()
  }

  /** Adds the key when that many milliseconds have passed; of several times the soonest counts. */
  addAfter(key: string, milliseconds: number): void {
    if (milliseconds <= 0) {
      this.add(key)
      return
    }
    const at = this.options.clock.now() + milliseconds
    const known = this.later.get(key)
    if (known !== undefined && known.at <= at) return
    known?.cancel()
    const cancel = this.options.due.at(at, () => {
      this.later.delete(key)
      this.add(key)
    })
    this.later.set(key, { at, cancel })
  }

  /** From now on there is work: before, keys only gather. */
  start(): void {
    this.open = true
    this.wake()
  }

  stop(): void {
    this.open = false
    this.options.meter?.dropped(this.waiting.size)
    this.waiting.clear()
    for (const { cancel } of this.later.values()) cancel()
    this.later.clear()
  }

  private wake(): void {
    if (!this.open || this.working || this.waiting.size === 0) return
    this.working = true
    this.options.defer(() => void this.lookAtNext())
  }

  /** One key a turn, so that requests from outside come in between. */
  private async lookAtNext(): Promise<void> {
    const { work, meter } = this.options
    work.begin()
    const [first] = this.waiting
    if (first !== undefined && this.open) {
      const [key, added] = first
      this.waiting.delete(key)
      const end = meter?.begin(added)
      await this.process(key)
      end?.()
    }
    this.working = false
    this.wake()
    work.end()
  }

  private async process(key: string): Promise<void> {
    const { name, log, sync, meter } = this.options
    try {
      await sync(key)
      this.failures.delete(key)
    } catch (error) {
      if (!this.open) return
      // Errors of the API are expected; any other error is a bug.
      if (!(error instanceof ApiError)) log.error(`${name} failed on ${key}`, error)
      meter?.retried()
      const failures = this.failures.get(key) ?? 0
      this.failures.set(key, failures + 1)
      this.addAfter(
        key,
        Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, LONGEST_RETRY_MILLISECONDS),
      )
    }
  }
}
