/** What readers and watchers of one process see. */

import type { LoadedChange, Snapshot } from './backend'
import { CompactedError } from './compacted-error'
import {
  FutureRevisionError,
  type HistoryVersion,
  type LocalSnapshot,
  type Outcome,
  type RangeOptions,
  type RangeResult,
  type Storage,
  type StorageEvent,
  type StoredObject,
  type Watcher,
  type WatchSink,
} from './storage'
import { StoredVersion } from './stored-version'
import { lastState } from './transaction'
import { type VersionId, Versions, type Write } from './versions'
import { WatchHub } from './watch-hub'

const FIRST_REVISION = 1
export const HISTORY_LIMIT = 20_000

export interface VisibleOptions {
  /** Approximate number of retained changes. */
  historyLimit?: number
  /** For tests: freezes stored objects, to find code that changes them. */
  freeze?: boolean
}

export abstract class VisibleVersions implements Omit<Storage, 'transaction' | 'close' | 'newest'> {
  protected versions = new Versions()
  protected readonly hub = new WatchHub()
  private readonly requests = new Map<string, number>()
  protected readonly historyLimit: number
  private readonly freeze: boolean
  protected revision = FIRST_REVISION
  protected compacted = 0
  private readonly latestSnapshot: LocalSnapshot = {
    get: (key) => this.versions.latest(key),
    range: (prefix) => this.versions.rangeNow(prefix, endOf(prefix), Number.POSITIVE_INFINITY),
  }

  constructor({ historyLimit = HISTORY_LIMIT, freeze = false }: VisibleOptions) {
    this.historyLimit = historyLimit
    this.freeze = freeze
  }

  onListenerFailure(report: (error: unknown) => void): void {
    this.hub.report = report
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

  snapshot(): LocalSnapshot | undefined {
    return this.latestSnapshot
  }

  protected checkRevision(revision: number): void {
    if (revision > this.revision) throw new FutureRevisionError(this.revision, revision)
    if (revision < this.compacted) throw new CompactedError(this.compacted, revision)
  }

  async range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    const { revision = this.revision, limit = Number.POSITIVE_INFINITY, after } = options
    const end = endOf(prefix)
    const start = after !== undefined && after >= prefix ? `${after}\0` : prefix
    if (revision === this.revision) {
      const items = this.versions.rangeNow(start, end, limit)
      return {
        revision,
        items,
        remaining: items.length < limit ? 0 : this.versions.count(start, end) - items.length,
      }
    }
    this.checkRevision(revision)
    const all = this.versions.rangeAt(start, end, revision)
    const items = all.length > limit ? all.slice(0, limit) : all
    return { revision, items, remaining: all.length - items.length }
  }

  async count(prefix: string): Promise<number> {
    return this.versions.count(prefix, endOf(prefix))
  }

  async outcome(requestId: string): Promise<Outcome | undefined> {
    return this.outcomeNow(requestId)
  }

  protected outcomeNow(requestId: string): Outcome | undefined {
    const revision = this.requests.get(requestId)
    if (revision === undefined) return undefined
    return {
      succeeded: true,
      revision,
      stored: this.versions.eventsOf(revision).map((event) => event.current),
    }
  }

  protected apply(writes: Write[], revision: number, requestId: string | undefined): Outcome {
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
    // A quarter more, so that not every write compacts.
    if (this.versions.size <= this.historyLimit * 1.25) return
    const revision = this.versions.revisionAt(this.versions.size - this.historyLimit - 1)
    this.compactTo(revision).catch(() => undefined)
  }

  protected take({ complete, revision, compacted, changes, requests }: Snapshot): void {
    if (complete) {
      this.versions = Versions.of(
        changes.filter((change) => change.revision <= compacted).map(versionOf),
      )
      this.requests.clear()
      this.compacted = compacted
    }
    this.revision = Math.max(FIRST_REVISION, revision)
    for (const request of requests)
      if (request.revision > this.compacted) this.requests.set(request.id, request.revision)
    const events: StorageEvent[] = []
    for (const change of changes) {
      const write = change.revision > this.compacted ? this.writeOf(change) : undefined
      if (write) this.append(write, events)
    }
    this.limitHistory()
    // Watchers restart at once, so everything must be visible first.
    if (complete) this.hub.endAll('gone')
    else for (const event of events) this.hub.publish(event)
  }

  private writeOf(change: LoadedChange): Write | undefined {
    const { key, revision, author } = change
    const { stored } = versionOf(change)
    if (stored) return { deleted: false, author, stored }
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
    if (revision > this.compacted) await this.compactTo(revision)
  }

  protected async compactTo(revision: number): Promise<void> {
    this.compacted = revision
    for (const [id, wrote] of this.requests) if (wrote <= revision) this.requests.delete(id)
    await this.discard(revision, this.versions.compact(revision))
  }

  protected async discard(_revision: number, _versions: VersionId[]): Promise<void> {}

  async history(key: string): Promise<HistoryVersion[]> {
    return [...this.versions.history(key)]
  }
}

function versionOf({
  key,
  revision,
  createRevision,
  object,
  author,
}: LoadedChange): HistoryVersion {
  return {
    revision,
    author,
    stored:
      object === undefined ? undefined : new StoredVersion(key, object, revision, createRevision),
  }
}

/** `/a/` ends at `/a0`, since `0` follows `/`. */
export function endOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
}
