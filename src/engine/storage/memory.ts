/**
 * The multi-version store in memory, alone or in front of a backend that makes commits durable.
 *
 * Order of a write: validate against the head (commits in flight included) -> backend, several transactions at once -> chains
 * -> watchers -> the caller. What readers see is always a prefix of what is durable: when another engine has written to the
 * same backend, or a commit failed, the store reads what is newer, and watchers are told of it as of any other change.
 */
import type { CommitBackend, CommittedChange, Snapshot } from './backend'
import { CommitQueue } from './commit-queue'
import {
  type Change,
  CompactedError,
  FutureRevisionError,
  type Guard,
  type KeptVersion,
  type Outcome,
  type RangeOptions,
  type RangeResult,
  type Storage,
  type StorageEvent,
  type StoredObject,
  type TransactionOptions,
  type TransactionResult,
  type Watcher,
  type WatchSink,
} from './storage'
import { draft, firstFailed, lastState } from './transaction'
import { Versions, type Write } from './versions'
import { WatchHub } from './watch-hub'

export interface MemoryStorageOptions {
  backend?: CommitBackend
  /** What the backend held when it was opened. */
  initial?: Snapshot
  /** At most about so many changes are remembered, however young they are. */
  historyLimit?: number
  /** Freezes what is stored, to find code that changes shared objects. For tests: it costs. */
  freeze?: boolean
}

/** A store begins at revision 1, as etcd does. */
const FIRST_REVISION = 1
const HISTORY_LIMIT = 20_000

/** @returns an empty store, or one with the backend's content */
export function createMemoryStorage(options: MemoryStorageOptions = {}): Storage {
  return new MemoryStorage(options)
}

class MemoryStorage implements Storage {
  private versions = new Versions()
  private readonly hub = new WatchHub()
  private readonly queue: CommitQueue | undefined
  private readonly backend: CommitBackend | undefined
  /** By identity of a request, the revision that it wrote. */
  private readonly requests = new Map<string, number>()
  private readonly historyLimit: number
  private readonly freeze: boolean
  private revision = FIRST_REVISION
  private compacted = 0

  constructor({ backend, initial, historyLimit = HISTORY_LIMIT, freeze = false }: MemoryStorageOptions) {
    this.backend = backend
    this.historyLimit = historyLimit
    this.freeze = freeze
    if (initial) this.take(initial)
    if (backend === undefined) return
    this.queue = new CommitQueue(backend, {
      revision: () => this.revision,
      latest: (key) => this.versions.latest(key),
      outcome: (requestId) => this.outcomeNow(requestId),
      apply: (writes, revision, requestId) => this.apply(writes, revision, requestId),
      catchUp: async (complete) => this.take(await backend.load(complete ? undefined : this.revision)),
    })
  }

  currentRevision(): number {
    return this.revision
  }

  compactRevision(): number {
    return this.compacted
  }

  async get(key: string, options?: { revision?: number }): Promise<StoredObject | undefined> {
    const revision = options?.revision
    if (this.backend?.current && (revision ?? Number.POSITIVE_INFINITY) > this.revision) await this.refresh()
    if (revision === undefined) return this.versions.latest(key)
    this.checkRevision(revision)
    return this.versions.at(key, revision)
  }

  /**
   * What other engines have written until now becomes visible. A store that cannot be asked is not waited for: reading goes on.
   *
   * @returns whether there was anything
   */
  private async refresh(): Promise<boolean> {
    const asked = this.backend?.current?.()
    if (asked === undefined || this.queue === undefined) return false
    const revision = await asked.catch(() => 0)
    return this.queue.reach(revision)
  }

  private checkRevision(revision: number): void {
    if (revision > this.revision) throw new FutureRevisionError(this.revision, revision)
    if (revision < this.compacted) throw new CompactedError(this.compacted, revision)
  }

  async range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    if (this.backend?.current && (options.revision ?? Number.POSITIVE_INFINITY) > this.revision) await this.refresh()
    const { revision = this.revision, limit = Number.POSITIVE_INFINITY, after } = options
    const end = endOf(prefix)
    const start = after !== undefined && after >= prefix ? `${after}\0` : prefix
    if (revision === this.revision) {
      const items = this.versions.rangeNow(start, end, limit)
      return { revision, items, remaining: items.length < limit ? 0 : this.versions.count(start, end) - items.length }
    }
    this.checkRevision(revision)
    const all = this.versions.rangeAt(start, end, revision)
    const items = all.length > limit ? all.slice(0, limit) : all
    return { revision, items, remaining: all.length - items.length }
  }

  async count(prefix: string): Promise<number> {
    return this.versions.count(prefix, endOf(prefix))
  }

  async transaction(guards: Guard[], changes: Change[], options?: TransactionOptions): Promise<TransactionResult> {
    const requestId = options?.requestId
    if (this.queue) {
      const result = await this.queue.submit(guards, changes, options)
      // What stood in the way may be gone by the hand of another engine.
      return !result.succeeded && (await this.refresh()) ? this.transaction(guards, changes, options) : result
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

  async outcome(requestId: string): Promise<Outcome | undefined> {
    if (this.backend?.current) await this.refresh()
    return this.outcomeNow(requestId)
  }

  private outcomeNow(requestId: string): Outcome | undefined {
    const revision = this.requests.get(requestId)
    if (revision === undefined) return undefined
    return { succeeded: true, revision, stored: this.versions.eventsOf(revision).map((event) => event.current) }
  }

  private apply(writes: Write[], revision: number, requestId: string | undefined): Outcome {
    this.revision = revision
    if (requestId !== undefined) this.requests.set(requestId, revision)
    const events: StorageEvent[] = []
    for (const write of writes) this.append(write, events)
    this.limitHistory()
    for (const event of events) this.hub.publish(event)
    return { succeeded: true, revision, stored: writes.map((write) => write.stored) }
  }

  private append(write: Write, events: StorageEvent[]): void {
    if (this.freeze) deepFreeze(write.stored.object)
    const event = this.versions.write(write)
    if (event) events.push(event)
  }

  private limitHistory(): void {
    // A quarter more is let through, so that not every write forgets one.
    if (this.versions.remembered <= this.historyLimit * 1.25) return
    const revision = this.versions.revisionAt(this.versions.remembered - this.historyLimit - 1)
    // What the backend fails to forget now it forgets after the next load.
    this.compact(revision).catch(() => undefined)
  }

  /** Takes over what the backend holds: all of it, or what is newer than what is here. */
  private take({ complete, revision, compacted, changes, requests }: Snapshot): void {
    if (complete) {
      this.versions = new Versions()
      this.requests.clear()
      this.compacted = compacted
      this.hub.endAll('gone')
    }
    this.revision = Math.max(FIRST_REVISION, revision)
    for (const request of requests) if (request.revision > this.compacted) this.requests.set(request.id, request.revision)
    const events: StorageEvent[] = []
    for (const change of changes) {
      const write = this.writeOf(change)
      if (write === undefined) continue
      if (change.revision > this.compacted) this.append(write, events)
      else this.versions.load(write)
    }
    this.limitHistory()
    for (const event of events) this.hub.publish(event)
  }

  private writeOf({ key, revision, createRevision, object, author }: CommittedChange): Write | undefined {
    if (object) return { deleted: false, author, stored: { key, object, revision, createRevision, encoded: new Map() } }
    const current = this.versions.latest(key)
    return current && { deleted: true, author, stored: lastState(current, revision) }
  }

  watch(prefix: string, after: number, sink: WatchSink): Watcher {
    if (after < this.compacted) throw new CompactedError(this.compacted, after)
    const whole = prefix.endsWith('/')
    for (const event of this.versions.eventsAfter(after)) {
      if (whole ? event.key.startsWith(prefix) : event.key === prefix) sink.event(event)
    }
    return this.hub.add(prefix, Math.max(after, this.revision), sink)
  }

  async compact(revision: number): Promise<void> {
    if (revision > this.revision) throw new FutureRevisionError(this.revision, revision)
    if (revision <= this.compacted) return
    this.compacted = revision
    for (const [id, wrote] of this.requests) if (wrote <= revision) this.requests.delete(id)
    const forgotten = this.versions.compact(revision)
    await this.backend?.compact(revision, forgotten)
  }

  async history(key: string): Promise<KeptVersion[]> {
    return [...this.versions.history(key)]
  }

  async close(): Promise<void> {
    await this.queue?.idle()
    this.hub.endAll('closed')
    this.backend?.close?.()
  }
}

/** The first key behind everything under the prefix: `/a/` ends at `/a0`, since `0` follows `/`. */
function endOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
}
