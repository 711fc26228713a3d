/**
 * The storage interface: one revision counter, a chain of versions per key, compaction. Memory,
 * IndexedDB and etcd pass the same suite (tests/storage/suite.ts).
 * Keys look like `/registry/apps/deployments/default/web`. A prefix ends with `/`, so
 * `/registry/pods/a/` never matches `/registry/pods/ab/x`.
 */
import type { KubeObject } from '../core/object'

/** Shared by all readers: never change it, copy it. */
export interface StoredObject {
  readonly key: string
  /** Canonical; its `metadata.resourceVersion` is `String(revision)`. */
  readonly object: KubeObject
  /** The JSON of `object` before its first use; undefined: not yet encoded. */
  readonly text?: string | undefined
  readonly revision: number
  readonly createRevision: number
  /** Cached encodings by apiVersion, see http/encoded-cache.ts. */
  encoded: Map<string, Uint8Array> | undefined
  /** Sequence number of the last access, see http/encoded-cache.ts; 0: none. */
  lastAccess: number
}

export interface RangeOptions {
  /** The newest revision if absent. */
  revision?: number
  limit?: number
  /** Exclusive. */
  after?: string
}

export interface RangeResult {
  revision: number
  items: StoredObject[]
  /** Number of keys after the last returned item. */
  remaining: number
}

/** A condition of a transaction. Revision 0: the key must be absent. */
export interface Guard {
  key: string
  revision: number
}

export type Change =
  /**
   * The store takes ownership of `object` and sets its `metadata.resourceVersion`. That member must
   * exist, so that the order of members is kept.
   */
  { type: 'put'; key: string; object: KubeObject } | { type: 'delete'; key: string }

export type TransactionResult =
  /**
   * All changes share one revision. `stored[i]` belongs to change `i`; for a delete it is the last
   * state with the deletion's revision.
   */
  | { succeeded: true; revision: number; stored: StoredObject[] }
  /** `current` is the state that violated the first failed guard (undefined: absent). */
  | { succeeded: false; current: StoredObject | undefined }

export interface StorageEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  key: string
  /** For DELETED the last state, with the deletion's revision as resourceVersion. */
  current: StoredObject
  /** The state before, for selectors; undefined for ADDED. */
  previous: StoredObject | undefined
  revision: number
}

export interface Watcher {
  /** May be called twice. */
  stop(): void
}

export interface WatchSink {
  /**
   * In order of revision, each once. Called synchronously after the commit: must not throw or
   * block.
   */
  event(event: StorageEvent): void
  /** `gone`: compacted past its start. `closed`: the store was closed or reloaded. */
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
    /** Whether the write may still have been executed, or be executed later. */
    readonly uncertain: boolean,
  ) {
    super(message)
  }
}

export class StorageTimeoutError extends StorageUnavailableError {}

/**
 * The shared store rejected the request, for example because it is full. The message is the
 * store's.
 */
export class StorageRejectedError extends Error {}

/** Another engine has written since; the store must catch up first. */
export class FencedError extends Error {}

export interface TransactionOptions {
  /**
   * Idempotency key. A second transaction with the same key returns the first result, whatever its
   * guards. Kept until compaction.
   */
  requestId?: string
  /** The user who made the request, for history; absent for the server's own writes. */
  author?: string
  /** Maximum wait in milliseconds, for stores that may be slow. */
  within?: number
  /**
   * For writes that every engine repeats by itself, such as bootstrap objects: readers see them
   * before they are durable. If the commit fails, the store returns to the durable state and ends
   * watches with `gone`.
   */
  provisional?: boolean
}

export interface HistoryVersion {
  revision: number
  stored: StoredObject | undefined
  author: string | undefined
}

export type Outcome = Extract<TransactionResult, { succeeded: true }>

/** A consistent local state that can be read synchronously. */
export interface LocalSnapshot {
  get(key: string): StoredObject | undefined
  range(prefix: string): StoredObject[]
}

export interface Storage {
  /** A new store starts at 1. */
  currentRevision(): number
  compactRevision(): number
  get(key: string, options?: { revision?: number }): Promise<StoredObject | undefined>
  /**
   * The newest state, for callers that must not yield between reads. Undefined or absent if another
   * engine may have written something newer.
   */
  snapshot?(): LocalSnapshot | undefined
  /**
   * Resolves when reads see every write that any engine acknowledged before the call. Absent if one
   * engine sees all writes at once.
   * @param within maximum wait in milliseconds
   * @throws StorageUnavailableError, StorageTimeoutError
   */
  readBarrier?(within?: number): Promise<void>
  /** In key order. @throws CompactedError, FutureRevisionError */
  range(prefix: string, options?: RangeOptions): Promise<RangeResult>
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
  /** The result of an earlier transaction with this key. */
  outcome(requestId: string): Promise<Outcome | undefined>
  /**
   * Events above revision `after` under the prefix, or of one key without a trailing `/`.
   * @throws CompactedError
   */
  watch(prefix: string, after: number, sink: WatchSink): Watcher
  /** Reports errors of sinks, which affect neither the write nor other sinks. */
  onListenerFailure?(report: (error: unknown) => void): void
  compact(revision: number): Promise<void>
  /** Retained versions, oldest first. */
  history(key: string): Promise<HistoryVersion[]>
  close(): Promise<void>
}
