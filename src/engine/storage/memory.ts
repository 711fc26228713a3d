/**
 * A write is checked against the head, then goes to the backend, the version chains, watchers and
 * the caller. Readers see only durable state.
 */
import type { CommitBackend, Snapshot } from './backend'
import { CommitQueue } from './commit-queue'
import type {
  Change,
  Guard,
  LocalSnapshot,
  Outcome,
  RangeOptions,
  RangeResult,
  Storage,
  StoredObject,
  TransactionOptions,
  TransactionResult,
} from './storage'
import { draft, firstFailed } from './transaction'
import type { VersionId } from './versions'
import { type VisibleOptions, VisibleVersions } from './visible'

export interface MemoryStorageOptions extends VisibleOptions {
  backend?: CommitBackend
  initial?: Snapshot
}

export function createMemoryStorage(options: MemoryStorageOptions = {}): Storage {
  return new MemoryStorage(options)
}

class MemoryStorage extends VisibleVersions implements Storage {
  private readonly queue: CommitQueue | undefined
  private readonly backend: CommitBackend | undefined

  constructor({ backend, initial, ...visible }: MemoryStorageOptions) {
    super(visible)
    this.backend = backend
    if (initial) this.take(initial)
    if (backend === undefined) return
    this.queue = new CommitQueue(backend, {
      revision: () => this.revision,
      latest: (key) => this.versions.latest(key),
      outcome: (requestId) => this.outcomeNow(requestId),
      apply: (writes, revision, requestId) => this.apply(writes, revision, requestId),
      catchUp: async (complete) =>
        this.take(await backend.load(complete ? undefined : this.revision)),
    })
  }

  override get(key: string, options?: { revision?: number }): Promise<StoredObject | undefined> {
    if (!this.mayBeBehind(options?.revision)) return super.get(key, options)
    return this.refresh().then(() => super.get(key, options))
  }

  override snapshot(): LocalSnapshot | undefined {
    return this.mayBeBehind(undefined) ? undefined : super.snapshot()
  }

  override range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    if (!this.mayBeBehind(options.revision)) return super.range(prefix, options)
    return this.refresh().then(() => super.range(prefix, options))
  }

  override outcome(requestId: string): Promise<Outcome | undefined> {
    if (!this.mayBeBehind(undefined)) return super.outcome(requestId)
    return this.refresh().then(() => super.outcome(requestId))
  }

  private mayBeBehind(revision: number | undefined): boolean {
    return (
      this.backend?.current !== undefined && (revision ?? Number.POSITIVE_INFINITY) > this.revision
    )
  }

  /** Makes writes of other engines visible. @returns whether there were any */
  private async refresh(): Promise<boolean> {
    const pending = this.backend?.current?.()
    if (pending === undefined || this.queue === undefined) return false
    const revision = await pending.catch(() => 0)
    return this.queue.waitForRevision(revision)
  }

  async transaction(
    guards: Guard[],
    changes: Change[],
    options?: TransactionOptions,
  ): Promise<TransactionResult> {
    const requestId = options?.requestId
    if (this.queue) {
      const result = await this.queue.submit(guards, changes, options)
      return !result.succeeded && (await this.refresh())
        ? this.transaction(guards, changes, options)
        : result
    }
    const before = requestId === undefined ? undefined : this.outcomeNow(requestId)
    if (before) return before
    const latest = (key: string) => this.versions.latest(key)
    const failed = firstFailed(guards, latest)
    if (failed) return { succeeded: false, current: this.versions.latest(failed.key) }
    if (changes.length === 0) return { succeeded: true, revision: this.revision, stored: [] }
    const revision = this.revision + 1
    return this.apply(draft(changes, revision, latest, options?.author), revision, requestId)
  }

  protected override async discard(revision: number, versions: VersionId[]): Promise<void> {
    await this.backend?.compact(revision, versions)
  }

  async close(): Promise<void> {
    await this.queue?.idle()
    this.hub.endAll('closed')
    this.backend?.close?.()
  }
}
