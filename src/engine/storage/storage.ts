/**
 * The contract of all stores. tests/storage/suite.ts tests all implementations. A prefix ends with `/`: `/registry/pods/a/`
 * does not match `/registry/pods/ab/x`.
 */
import type { KubeObject } from '../core/object'

/** Shared by all readers: copy it, never change it. */
export interface StoredObject {
  readonly key: string
  /** Canonical, with resourceVersion `String(revision)`. */
  readonly object: KubeObject
  /** JSON of `object`; undefined: not yet encoded. */
  readonly text?: string | undefined
  readonly revision: number
  readonly createRevision: number
  /** By apiVersion: http/encoded-cache.ts. */
  encoded: Map<string, Uint8Array> | undefined
  /** A sequence number: http/encoded-cache.ts. */
  lastAccess: number
}

export interface RangeOptions {
  /** The newest if absent. */
  revision?: number
  limit?: number
  /** Exclusive. */
  after?: string
}

export interface RangeResult {
  revision: number
  items: StoredObject[]
  remaining: number
}

/** Revision 0: the key must be absent. */
export interface Guard {
  key: string
  revision: number
}

export type Change =
  /** The store takes `object` and sets its resourceVersion; the member must exist, to keep the order of members. */
  { type: 'put'; key: string; object: KubeObject } | { type: 'delete'; key: string }

export type TransactionResult =
  /** `stored[i]` belongs to change `i`; deleted objects have the deletion's revision. */
  | { succeeded: true; revision: number; stored: StoredObject[] }
  /** The state that violates the first failed guard. */
  | { succeeded: false; current: StoredObject | undefined }

export interface StorageEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  key: string
  /** DELETED: the last state, with the deletion's resourceVersion. */
  current: StoredObject
  /** undefined for ADDED. */
  previous: StoredObject | undefined
  revision: number
}

export interface Watcher {
  /** May be called twice. */
  stop(): void
}

export interface WatchSink {
  /** In order of revision, synchronously after the commit: must not throw or block. */
  event(event: StorageEvent): void
  /** `gone`: compacted past its start. `closed`: the store was closed or reloaded. */
  end(reason: 'gone' | 'closed'): void
}

export class FutureRevisionError extends Error {
  constructor(
    readonly currentRevision: number,
    readonly requested: number,
  ) {
    super(`revision ${requested} is in the future (current: ${currentRevision})`)
  }
}

export class StorageUnavailableError extends Error {
  constructor(
    message: string,
    /** Whether the write may have been, or may yet be, executed. */
    readonly uncertain: boolean,
  ) {
    super(message)
  }
}

export class StorageTimeoutError extends StorageUnavailableError {}

/** For example because it is full. */
export class StorageRejectedError extends Error {}

/** Another engine has written; the store must catch up. */
export class FencedError extends Error {}

export interface TransactionOptions {
  /** Idempotency key until compaction: a second transaction returns the first result. */
  requestId?: string
  /** For history; absent for the server's own writes. */
  author?: string
  /** Maximum wait in milliseconds. */
  within?: number
  /**
   * For writes that every engine repeats, such as bootstrap objects: visible before durable. A
   * failed commit ends watches with `gone`.
   */
  provisional?: boolean
}

export interface HistoryVersion {
  revision: number
  stored: StoredObject | undefined
  author: string | undefined
}

export type Outcome = Extract<TransactionResult, { succeeded: true }>

/** A consistent local state, read synchronously. */
export interface LocalSnapshot {
  get(key: string): StoredObject | undefined
  range(prefix: string): StoredObject[]
}

export interface Storage {
  currentRevision(): number
  compactRevision(): number
  get(key: string, options?: { revision?: number }): Promise<StoredObject | undefined>
  /** Reads without yielding. Undefined if another engine may have written. */
  snapshot?(): LocalSnapshot | undefined
  /**
   * Resolves when reads see every acknowledged write; absent with a single engine.
   * @param within milliseconds
   * @throws StorageUnavailableError, StorageTimeoutError
   */
  readBarrier?(within?: number): Promise<void>
  /** In key order. @throws CompactedError, FutureRevisionError */
  range(prefix: string, options?: RangeOptions): Promise<RangeResult>
  count(prefix: string): Promise<number>
  /**
   * Applies all changes or none.
   * @throws Error for a delete of an absent key, or two changes of one key
   */
  transaction(
    guards: Guard[],
    changes: Change[],
    options?: TransactionOptions,
  ): Promise<TransactionResult>
  outcome(requestId: string): Promise<Outcome | undefined>
  /** Events after a revision, of a prefix or one key. @throws CompactedError */
  watch(prefix: string, after: number, sink: WatchSink): Watcher
  /** Errors of sinks affect neither the write nor other sinks. */
  onListenerFailure?(report: (error: unknown) => void): void
  compact(revision: number): Promise<void>
  /** Retained versions, oldest first. */
  history(key: string): Promise<HistoryVersion[]>
  close(): Promise<void>
}
