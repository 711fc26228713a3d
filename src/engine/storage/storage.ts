/**
 * The storage interface: one revision counter, a chain of versions per key, compaction. Memory,
 * IndexedDB and etcd all pass the same suite (tests/storage/suite.ts).
 * Keys look like `/registry/apps/deployments/default/web`; a prefix always ends with `/`, so
 * `/registry/pods/a/` never matches `/registry/pods/ab/x`.
 */
import type { KubeObject } from '../core/object'

/** One version of one object. Shared by all readers: never change it, copy instead. */
export interface StoredObject {
  readonly key: string
  /** Canonical; its `metadata.resourceVersion` is `String(revision)`. */
  readonly object: KubeObject
  /** Its JSON, until `object` is first read; undefined: it has to be encoded. */
  readonly text?: string | undefined
  /** The revision that wrote this version. */
  readonly revision: number
  /** The revision that created the key. */
  readonly createRevision: number
  /**
   * Cached encodings by the version they show (`apps/v1`), shared by get, list and all watchers;
   * see http/encoded-cache.ts.
   */
  encoded: Map<string, Uint8Array> | undefined
  /** Number of the last access, see http/encoded-cache.ts; 0: none yet. */
  lastAccess: number
}

export interface RangeOptions {
  /** Show the state as of this revision; the newest if absent. */
  revision?: number
  limit?: number
  /** Start behind this key (exclusive). */
  after?: string
}

export interface RangeResult {
  /** The revision of the result. */
  revision: number
  items: StoredObject[]
  /** Keys of the range after the last returned item; 0 when the result is complete. */
  remaining: number
}

/**
 * A condition of a transaction; if one does not hold, nothing is written. Revision 0: the key must
 * be absent.
 */
export interface Guard {
  key: string
  revision: number
}

export type Change =
  /**
   * The store takes ownership of `object` and sets its `metadata.resourceVersion`. The member must
   * exist already, with any value, so that the order of members is kept.
   */
  { type: 'put'; key: string; object: KubeObject } | { type: 'delete'; key: string }

export type TransactionResult =
  /**
   * All changes share one revision. `stored[i]` is what change `i` wrote. For a delete it is the
   * last state with the deletion's revision as resourceVersion.
   */
  | { succeeded: true; revision: number; stored: StoredObject[] }
  /** `current` is the state that violated the first failed guard (undefined: absent). */
  | { succeeded: false; current: StoredObject | undefined }

export interface StorageEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  key: string
  /** For DELETED the last state, its resourceVersion being the deletion's revision. */
  current: StoredObject
  /** The state before, for selector transitions; undefined for ADDED. */
  previous: StoredObject | undefined
  revision: number
}

export interface Watcher {
  /** Stops the events; safe to call twice. */
  stop(): void
}

export interface WatchSink {
  /**
   * Events in order of revision, each once. Called synchronously after the commit: must not throw,
   * must not block.
   */
  event(event: StorageEvent): void
  /**
   * The storage ended the stream: compacted past its start (`gone`), or the store was closed or
   * reloaded.
   */
  end(reason: 'gone' | 'closed'): void
}

export class CompactedError extends Error {
  constructor(
    readonly compactRevision: number,
    readonly requested: number,
  ) {
    super(`revision ${requested} has been compacted (oldest kept: ${compactRevision})`)
  }
}

export class FutureRevisionError extends Error {
  constructor(
    readonly currentRevision: number,
    readonly requested: number,
  ) {
    super(`revision ${requested} is in the future (current: ${currentRevision})`)
  }
}

/** The shared store does not respond, or rejects everything. */
export class StorageUnavailableError extends Error {
  constructor(
    message: string,
    /** The write may have been executed, or may be later. */
    readonly uncertain: boolean,
  ) {
    super(message)
  }
}

/** The time limit of the request passed while it waited for the store. */
export class StorageTimeoutError extends StorageUnavailableError {}

/**
 * The shared store rejected the request for a reason of its own, such as being full. Nothing was
 * done. The message is the store's.
 */
export class StorageRejectedError extends Error {}

/**
 * The backend rejected the write because another engine has written since; the store must catch up
 * first.
 */
export class FencedError extends Error {}

export interface TransactionOptions {
  /**
   * Idempotency key of the request. A second transaction with the same key writes nothing and
   * returns the first result, whatever its guards. Stored with the write until compaction.
   */
  requestId?: string
  /**
   * Name of the user who made the request, stored for history; absent for the server's own writes.
   */
  author?: string
  /** Milliseconds that the caller waits at most, for stores that may be slow. */
  within?: number
  /**
   * For writes that any engine makes by itself, such as bootstrap objects: readers see them before
   * they are durable. If the commit fails, the store goes back to the durable state and ends
   * watches with `gone`. Later writes wait for it.
   */
  provisional?: boolean
}

/** A version in the history of a key: a state or a deletion. */
export interface HistoryVersion {
  revision: number
  stored: StoredObject | undefined
  author: string | undefined
}

/** The result of a successful transaction. */
export type Outcome = Extract<TransactionResult, { succeeded: true }>

/** A consistent local state that can be read synchronously. */
export interface LocalSnapshot {
  get(key: string): StoredObject | undefined
  /** Items under the prefix in key order. */
  range(prefix: string): StoredObject[]
}

export interface Storage {
  /** The newest revision. A new store starts at 1. */
  currentRevision(): number
  /** Everything before this revision is compacted. */
  compactRevision(): number
  get(key: string, options?: { revision?: number }): Promise<StoredObject | undefined>
  /**
   * The newest state, for callers that read many keys and must not yield between them. Undefined,
   * or absent, if another engine may have written something that is not visible here yet.
   */
  snapshot?(): LocalSnapshot | undefined
  /**
   * Resolves when reads here see everything that any engine over the same store had acknowledged
   * before the call. Absent if one engine sees all writes at once.
   * @param within milliseconds that the caller waits at most
   * @throws StorageUnavailableError, StorageTimeoutError
   */
  readBarrier?(within?: number): Promise<void>
  /** Items under the prefix in key order. @throws CompactedError, FutureRevisionError */
  range(prefix: string, options?: RangeOptions): Promise<RangeResult>
  /** The number of keys under the prefix now. */
  count(prefix: string): Promise<number>
  /**
   * Applies all changes or none, if every guard holds.
   * @throws Error for a delete of an absent key, or two changes of one key
   */
  transaction(
    guards: Guard[],
    changes: Change[],
    options?: TransactionOptions,
  ): Promise<TransactionResult>
  /**
   * What the request with this key wrote, if it was handled before. Check it before running a
   * repeated request again.
   */
  outcome(requestId: string): Promise<Outcome | undefined>
  /**
   * Events with a revision above `after` under the prefix (or of the one key, if it does not end
   * with `/`).
   * @throws CompactedError
   */
  watch(prefix: string, after: number, sink: WatchSink): Watcher
  /** Reports errors thrown by sinks, which affect neither the write nor other sinks. */
  onListenerFailure?(report: (error: unknown) => void): void
  compact(revision: number): Promise<void>
  /** Every retained version of the key, oldest first; a deletion is a version without object. */
  history(key: string): Promise<HistoryVersion[]>
  close(): Promise<void>
}
