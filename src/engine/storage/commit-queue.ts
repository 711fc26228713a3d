/**
 * Group commit: transactions collect while a batch is in flight. If another engine has written, the
 * backend rejects the batch, and the store catches up and checks again.
 */
import type { CommitBackend, CommittedChange, RequestRecord } from './backend'
import {
  type Change,
  FencedError,
  type Guard,
  type Outcome,
  type StoredObject,
  type TransactionOptions,
  type TransactionResult,
} from './storage'
import { draft, firstFailed } from './transaction'
import type { Write } from './versions'

export interface Committed {
  revision(): number
  latest(key: string): StoredObject | undefined
  outcome(requestId: string): Outcome | undefined
  apply(writes: Write[], revision: number, requestId: string | undefined): Outcome
  /** @param complete reload everything: the visible state may not be durable */
  catchUp(complete: boolean): Promise<void>
}

interface Pending {
  guards: Guard[]
  changes: Change[]
  requestId: string | undefined
  author: string | undefined
  provisional: boolean
  settle(result: TransactionResult): void
  fail(error: unknown): void
  done: Promise<unknown>
  attempts: number
  writes: Write[]
  revision: number
}

/** More rejections in a row than other engines' writes can explain. */
const MAXIMUM_ATTEMPTS = 20

export class CommitQueue {
  private queue: Pending[] = []
  private readonly inFlight = new Map<string, { by: Pending; stored: StoredObject | undefined }>()
  private readonly requests = new Map<string, Pending>()
  private nextRevision: number
  private flushing: Promise<void> | undefined
  private recovering: Promise<void> | undefined
  private isStale = false
  /** The revision to catch up to; 0: unknown. */
  private expected = 0
  private waiting: (() => void)[] = []

  constructor(
    private readonly backend: CommitBackend,
    private readonly store: Committed,
  ) {
    this.nextRevision = store.revision()
    backend.onForeignCommit?.(() => {
      this.isStale = true
      this.wake()
    })
  }

  /** @throws the error of the backend; then probably nothing was written */
  submit(
    guards: Guard[],
    changes: Change[],
    { requestId, author, provisional = false }: TransactionOptions = {},
  ): Promise<TransactionResult> {
    return new Promise((resolve, reject) => {
      let finish: () => void = () => undefined
      const done = new Promise<void>((resolveDone) => {
        finish = resolveDone
      })
      this.admit({
        guards,
        changes,
        requestId,
        author,
        provisional,
        done,
        attempts: 0,
        writes: [],
        revision: 0,
        settle: (result) => {
          this.removeRequest(requestId)
          finish()
          resolve(result)
        },
        fail: (error) => {
          this.removeRequest(requestId)
          finish()
          reject(error)
        },
      })
    })
  }

  async idle(): Promise<void> {
    while (this.flushing) await this.flushing
  }

  /** Resolves when the revision is visible, or cannot be read. @returns whether it had to wait */
  async waitForRevision(revision: number): Promise<boolean> {
    if (revision <= this.store.revision()) return false
    this.expected = Math.max(this.expected, revision)
    while (this.expected >= revision && revision > this.store.revision()) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve)
        this.wake()
      })
    }
    return true
  }

  private wakeWaiting(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  private removeRequest(requestId: string | undefined): void {
    if (requestId !== undefined) this.requests.delete(requestId)
  }

  private head(key: string): StoredObject | undefined {
    const coming = this.inFlight.get(key)
    return coming ? coming.stored : this.store.latest(key)
  }

  private admit(pending: Pending): void {
    if (this.recovering) {
      void this.recovering.then(() => this.admit(pending))
      return
    }
    try {
      this.check(pending)
    } catch (error) {
      pending.fail(error)
    }
  }

  private check(pending: Pending): void {
    const { guards, changes, requestId, author } = pending
    const repeated = this.repeated(pending)
    if (repeated === 'on its way') return
    const failed = firstFailed(guards, (key) => this.head(key))
    if (repeated) pending.settle(repeated)
    else if (failed) this.reject(pending, failed)
    else if (changes.length === 0)
      pending.settle({ succeeded: true, revision: this.store.revision(), stored: [] })
    else {
      pending.writes = draft(changes, this.nextRevision + 1, (key) => this.head(key), author)
      pending.revision = ++this.nextRevision
      for (const { stored, deleted } of pending.writes)
        this.inFlight.set(stored.key, { by: pending, stored: deleted ? undefined : stored })
      if (requestId !== undefined) this.requests.set(requestId, pending)
      this.queue.push(pending)
      this.wake()
    }
  }

  private repeated(pending: Pending): Outcome | 'on its way' | undefined {
    const { requestId } = pending
    if (requestId === undefined) return undefined
    const before = this.store.outcome(requestId)
    const same = this.requests.get(requestId)
    if (before || same === undefined || same === pending) return before
    this.admitAfter(same, pending)
    return 'on its way'
  }

  private reject(pending: Pending, { key, revision }: Guard): void {
    const current = this.store.latest(key)
    const coming = this.inFlight.get(key)
    // An immediate retry would read the state before the write in flight.
    if (coming && (current?.revision ?? 0) === revision) this.admitAfter(coming.by, pending)
    else pending.settle({ succeeded: false, current })
  }

  private admitAfter(other: Pending, pending: Pending): void {
    void other.done.then(() => this.admit(pending))
  }

  private wake(): void {
    this.flushing ??= this.flush()
  }

  private async flush(): Promise<void> {
    // Transactions of one microtask share a commit.
    await Promise.resolve()
    for (;;) {
      this.wakeWaiting()
      if (this.isStale || this.expected > this.store.revision()) {
        await this.recover([], undefined, false)
        continue
      }
      if (this.queue.length === 0) break
      const batch = this.queue
      this.queue = []
      const provisional = batch.every((pending) => pending.provisional)
      const committed = this.commit(batch)
      if (provisional) for (const pending of batch) this.publish(pending)
      try {
        await committed
      } catch (error) {
        await this.recover(provisional ? [] : batch, error, provisional)
        continue
      }
      if (!provisional) for (const pending of batch) this.publish(pending)
    }
    this.flushing = undefined
  }

  private async commit(batch: Pending[]): Promise<void> {
    const changes: CommittedChange[] = []
    const requests: RequestRecord[] = []
    for (const { writes, requestId, author, revision } of batch) {
      for (const { stored, deleted } of writes) {
        const { key, createRevision, object } = stored
        changes.push({
          key,
          revision,
          createRevision,
          object: deleted ? undefined : object,
          ...(author === undefined ? {} : { author }),
        })
      }
      if (requestId !== undefined) requests.push({ id: requestId, revision })
    }
    await this.backend.commit({
      from: this.store.revision(),
      to: (batch[batch.length - 1] as Pending).revision,
      changes,
      requests,
    })
  }

  private publish(pending: Pending): void {
    for (const { stored } of pending.writes)
      if (this.inFlight.get(stored.key)?.by === pending) this.inFlight.delete(stored.key)
    pending.settle(this.store.apply(pending.writes, pending.revision, pending.requestId))
  }

  /** Reads the durable state and rechecks unwritten transactions. */
  private async recover(batch: Pending[], error: unknown, complete: boolean): Promise<void> {
    const waiting = this.queue
    this.queue = []
    this.isStale = false
    const target = this.expected
    this.inFlight.clear()
    let failure: unknown
    this.recovering = this.store.catchUp(complete).catch((reason: unknown) => {
      failure = reason
    })
    await this.recovering
    this.recovering = undefined
    if (this.expected === target) this.expected = 0
    this.nextRevision = this.store.revision()
    for (const pending of batch) {
      if (
        failure === undefined &&
        error instanceof FencedError &&
        ++pending.attempts < MAXIMUM_ATTEMPTS
      )
        this.admit(pending)
      else pending.fail(error)
    }
    for (const pending of waiting) {
      if (failure === undefined) this.admit(pending)
      else pending.fail(failure)
    }
  }
}
