/**
 * A work queue: each key is processed at most once at a time. Failed keys are retried with
 * exponential backoff, from 5 ms to 1000 s, as in client-go.
 */

import { type ControllerCauses, joined } from '../../causality/controller-writes'
import type { Clock, Log } from '../../core/environment'
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
  /** Runs a function after current work is done, because work must not start inside of a write. */
  defer(run: () => void): void
  /** Records why keys are processed. */
  causes: ControllerCauses
  /** Reconciles one object; a failure is retried. */
  sync(key: string): Promise<void>
}

export class Queue {
  /** The time when each key was added, in the unit of the meter, and why. */
  private readonly waiting = new Map<string, { added: number; causes: readonly number[] }>()
  private readonly failures = new Map<string, number>()
  private readonly later = new Map<
    string,
    { at: number; causes: readonly number[]; cancel: () => void }
  >()
  private working = false
  private open = false

  constructor(private readonly options: QueueOptions) {}

  add(key: string): void {
    this.addBecauseOf(key, this.options.causes.current())
  }

  private addBecauseOf(key: string, causes: readonly number[]): void {
    const known = this.waiting.get(key)
    if (known === undefined)
      this.waiting.set(key, { added: this.options.meter?.added() ?? 0, causes })
    else known.causes = joined(known.causes, causes)
    this.wake()
  }

  /** Adds a key after a delay; the earliest of several times counts. */
  addAfter(key: string, milliseconds: number): void {
    if (milliseconds <= 0) {
      this.add(key)
      return
    }
    const at = this.options.clock.now() + milliseconds
    const known = this.later.get(key)
    const causes = joined(known?.causes ?? [], this.options.causes.current())
    if (known !== undefined && known.at <= at) {
      known.causes = causes
      return
    }
    known?.cancel()
    const entry = { at, causes, cancel: () => {} }
    entry.cancel = this.options.due.at(at, () => {
      this.later.delete(key)
      this.addBecauseOf(key, entry.causes)
    })
    this.later.set(key, entry)
  }

  /** Starts processing; keys added before are kept. */
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

  /** Processes one key per turn, so that requests of clients are served in between. */
  private async lookAtNext(): Promise<void> {
    const { work, meter } = this.options
    work.begin()
    const [first] = this.waiting
    if (first !== undefined && this.open) {
      const [key, { added, causes }] = first
      this.waiting.delete(key)
      const end = meter?.begin(added)
      await this.options.causes.processing(causes, () => this.process(key))
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
