/**
 * A key is processed at most once at a time. Retries back off exponentially, 5 ms to 1000 s, as in
 * client-go.
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
  meter?: QueueMeter
  /** Runs after current work: work must not start inside a write. */
  defer(run: () => void): void
  causes: ControllerCauses
  sync(key: string): Promise<void>
}

export class Queue {
  /** `added` is in the unit of the meter. */
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

  /** The earliest time wins. */
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

  /** Keeps keys added before. */
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

  /** One key per turn, so that client requests are served in between. */
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

  /** A failed sync is retried after its backoff, not at the time that it has planned itself. */
  private dropPlan(key: string, before: object | undefined): void {
    const plan = this.later.get(key)
    if (plan === undefined || plan === before) return
    plan.cancel()
    this.later.delete(key)
  }

  private async process(key: string): Promise<void> {
    const { name, log, sync, meter } = this.options
    const planned = this.later.get(key)
    try {
      await sync(key)
      this.failures.delete(key)
    } catch (error) {
      if (!this.open) return
      // API errors are expected; others are bugs.
      if (!(error instanceof ApiError)) log.error(`${name} failed on ${key}`, error)
      meter?.retried()
      const failures = this.failures.get(key) ?? 0
      this.failures.set(key, failures + 1)
      this.dropPlan(key, planned)
      this.addAfter(
        key,
        Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, LONGEST_RETRY_MILLISECONDS),
      )
    }
  }
}
