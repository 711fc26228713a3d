/**
 * The multi-version store in memory, alone or in front of a backend that makes commits durable.
 *
 * Order of a write: validate against the head (commits in flight included) -> backend, several transactions at once -> chains
 * -> watchers -> the caller. When the backend fails, what is in memory is discarded and read again.
 */
import type { KubeObject } from '../object'
import {
  type Change,
  CompactedError,
  FutureRevisionError,
  type Guard,
  type RangeOptions,
  type RangeResult,
  type Storage,
  type StoredObject,
  type TransactionResult,
  type Watcher,
  type WatchSink,
} from './storage'
import { Versions } from './versions'
import { WatchHub } from './watch-hub'

/** One change as a backend keeps it. */
export interface CommittedChange {
  key: string
  revision: number
  createRevision: number
  /** undefined: deleted. */
  object: KubeObject | undefined
}

export interface Snapshot {
  revision: number
  objects: { key: string; revision: number; createRevision: number; object: KubeObject }[]
}

export interface CommitBackend {
  /** Makes the changes durable, all or none. @throws FencedError if another engine has taken over */
  commit(changes: CommittedChange[], revision: number): Promise<void>
  /** The durable state, after a failed commit. */
  load(): Promise<Snapshot>
}

export interface MemoryStorageOptions {
  backend?: CommitBackend
  initial?: Snapshot
  /** Freezes what is stored, to find code that changes shared objects. For tests: it costs. */
  freeze?: boolean
}

export function createMemoryStorage(options: MemoryStorageOptions = {}): Storage {
  return new MemoryStorage(options)
}

/** A store begins at revision 1, as etcd does. */
const FIRST_REVISION = 1

interface Pending {
  changes: (CommittedChange & { stored: StoredObject })[]
  revision: number
  settle(result: TransactionResult): void
  fail(error: unknown): void
}

class MemoryStorage implements Storage {
  private versions = new Versions()
  private readonly hub = new WatchHub()
  private revision = FIRST_REVISION
  private compacted = 0
  /** Newest states that are on their way to the backend. */
  private inFlight = new Map<string, StoredObject | undefined>()
  private nextRevision = FIRST_REVISION
  private queue: Pending[] = []
  private flushing: Promise<void> | undefined

  constructor(private readonly options: MemoryStorageOptions) {
    if (options.initial) this.load(options.initial)
  }

  private load(snapshot: Snapshot): void {
    this.versions = new Versions()
    this.inFlight.clear()
    this.revision = Math.max(FIRST_REVISION, snapshot.revision)
    this.nextRevision = this.revision
    // Older states were not kept: whoever asks for them is told so.
    this.compacted = this.revision
    for (const { key, revision, createRevision, object } of snapshot.objects) {
      this.versions.load(this.stored(key, object, revision, createRevision))
    }
  }

  private stored(key: string, object: KubeObject, revision: number, createRevision: number): StoredObject {
    object.metadata.resourceVersion = String(revision)
    if (this.options.freeze) deepFreeze(object)
    return { key, object, revision, createRevision, encoded: new Map() }
  }

  currentRevision(): number {
    return this.revision
  }

  compactRevision(): number {
    return this.compacted
  }

  async get(key: string, options?: { revision?: number }): Promise<StoredObject | undefined> {
    if (options?.revision === undefined) return this.versions.latest(key)
    this.checkRevision(options.revision)
    return this.versions.at(key, options.revision)
  }

  private checkRevision(revision: number): void {
    if (revision > this.revision) throw new FutureRevisionError(this.revision, revision)
    if (revision < this.compacted) throw new CompactedError(this.compacted, revision)
  }

  async range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    const { revision, limit = Number.POSITIVE_INFINITY, after } = options
    const start = after !== undefined && after >= prefix ? `${after}\0` : prefix
    return revision === undefined || revision === this.revision
      ? this.rangeNow(prefix, start, limit)
      : this.rangeAt(prefix, start, limit, revision)
  }

  private rangeNow(prefix: string, start: string, limit: number): RangeResult {
    const items: StoredObject[] = []
    const { live } = this.versions
    for (const key of live.from(start, prefix)) {
      if (items.length >= limit) {
        return { revision: this.revision, items, remaining: live.rank(endOf(prefix)) - live.rank(key) }
      }
      items.push(this.versions.latest(key) as StoredObject)
    }
    return { revision: this.revision, items, remaining: 0 }
  }

  private rangeAt(prefix: string, start: string, limit: number, revision: number): RangeResult {
    this.checkRevision(revision)
    const items: StoredObject[] = []
    let remaining = 0
    for (const key of this.versions.known.from(start, prefix)) {
      const stored = this.versions.at(key, revision)
      if (stored === undefined) continue
      if (items.length < limit) items.push(stored)
      else remaining++
    }
    return { revision, items, remaining }
  }

  async count(prefix: string): Promise<number> {
    const { live } = this.versions
    return live.rank(endOf(prefix)) - live.rank(prefix)
  }

  private head(key: string): StoredObject | undefined {
    return this.inFlight.has(key) ? this.inFlight.get(key) : this.versions.latest(key)
  }

  async transaction(guards: Guard[], changes: Change[]): Promise<TransactionResult> {
    for (const { key, revision } of guards) {
      const current = this.head(key)
      if ((current?.revision ?? 0) === revision) continue
      // What stands in the way may still be on its way: the caller would read the older state again.
      while (this.inFlight.has(key) && this.flushing) await this.flushing.catch(() => undefined)
      return { succeeded: false, current: this.versions.latest(key) }
    }
    const prepared = this.prepare(changes)
    if (this.options.backend === undefined) return this.apply(prepared)
    return this.enqueue(prepared)
  }

  private prepare(changes: Change[]): Omit<Pending, 'settle' | 'fail'> {
    const revision = ++this.nextRevision
    const prepared = changes.map((change) => {
      const { key } = change
      const current = this.head(key)
      const createRevision = current?.createRevision ?? revision
      if (change.type === 'put') {
        return { key, revision, createRevision, object: change.object, stored: this.stored(key, change.object, revision, createRevision) }
      }
      if (current === undefined) throw new Error(`${key} is deleted though it does not exist`)
      const last = { ...current.object, metadata: { ...current.object.metadata } }
      return { key, revision, createRevision, object: undefined, stored: this.stored(key, last, revision, createRevision) }
    })
    return { changes: prepared, revision }
  }

  private apply({ changes, revision }: Omit<Pending, 'settle' | 'fail'>): TransactionResult {
    this.revision = revision
    const events = changes.map(({ object, stored }) => (object === undefined ? this.versions.remove(stored) : this.versions.put(stored)))
    for (const event of events) this.hub.publish(event)
    return { succeeded: true, revision, stored: changes.map((change) => change.stored) }
  }

  private enqueue(prepared: Omit<Pending, 'settle' | 'fail'>): Promise<TransactionResult> {
    for (const { key, object, stored } of prepared.changes) this.inFlight.set(key, object === undefined ? undefined : stored)
    return new Promise((settle, fail) => {
      this.queue.push({ ...prepared, settle, fail })
      this.flushing ??= this.flush()
    })
  }

  /** One backend commit for everything that has queued up meanwhile. */
  private async flush(): Promise<void> {
    await Promise.resolve()
    while (this.queue.length > 0) {
      const batch = this.queue
      this.queue = []
      const last = batch[batch.length - 1] as Pending
      try {
        await this.options.backend?.commit(
          batch.flatMap(({ changes }) => changes.map(({ stored: _stored, ...change }) => change)),
          last.revision,
        )
      } catch (error) {
        await this.discard([...batch, ...this.queue], error)
        continue
      }
      for (const pending of batch) {
        for (const { key, stored, object } of pending.changes) {
          if (this.inFlight.get(key) === (object === undefined ? undefined : stored)) this.inFlight.delete(key)
        }
        pending.settle(this.apply(pending))
      }
    }
    this.flushing = undefined
  }

  private async discard(lost: Pending[], error: unknown): Promise<void> {
    this.queue = []
    for (const pending of lost) pending.fail(error)
    this.inFlight.clear()
    this.hub.endAll('closed')
    this.nextRevision = this.revision
    const snapshot = await this.options.backend?.load().catch(() => undefined)
    if (snapshot) this.load(snapshot)
  }

  watch(prefix: string, after: number, sink: WatchSink): Watcher {
    if (after < this.compacted) throw new CompactedError(this.compacted, after)
    const whole = prefix.endsWith('/')
    for (const event of this.versions.eventsAfter(after)) {
      if (whole ? event.key.startsWith(prefix) : event.key === prefix) sink.event(event)
    }
    if (after <= this.revision) return this.hub.add(prefix, sink)
    // A version that does not exist yet: silence until it does.
    return this.hub.add(prefix, { end: sink.end, event: (event) => (event.revision > after ? sink.event(event) : undefined) })
  }

  async compact(revision: number): Promise<void> {
    if (revision > this.revision) throw new FutureRevisionError(this.revision, revision)
    if (revision <= this.compacted) return
    this.compacted = revision
    this.versions.compact(revision)
  }

  async history(key: string): Promise<{ revision: number; stored: StoredObject | undefined }[]> {
    return [...this.versions.history(key)]
  }

  async close(): Promise<void> {
    await this.flushing?.catch(() => undefined)
    this.hub.endAll('closed')
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
