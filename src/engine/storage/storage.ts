/**
 * The storage interface: one revision counter, a chain of versions per key, compaction. Memory, IndexedDB and etcd all pass
 * the same suite (tests/storage/suite.ts).
 *
 * Keys look like `/registry/apps/deployments/default/web`; a prefix always ends with `/`, so `/registry/pods/a/` never
 * matches `/registry/pods/ab/x`.
 */
import type { KubeObject } from '../object'

/** One version of one object. Shared by all readers: never change it, copy instead. */
export interface StoredObject {
  readonly key: string
  /** Canonical; its `metadata.resourceVersion` is `String(revision)`. */
  readonly object: KubeObject
  /** Its JSON, as long as nobody has asked for the object itself; undefined: it has to be made. */
  readonly text?: string | undefined
  /** The revision that wrote this version. */
  readonly revision: number
  /** The revision that created the key. */
  readonly createRevision: number
  /** Encoded forms that are at hand, by the version they show (`apps/v1`): shared by get, list and every watcher; see http/ready-forms.ts. */
  encoded: Map<string, Uint8Array> | undefined
  /** Which ask in a row the last one for it was, see http/ready-forms.ts; 0: nobody asked yet. */
  asked: number
}

export interface RangeOptions {
  /** Show the state as of this revision; the newest if absent. */
  revision?: number
  limit?: number
  /** Start behind this key (exclusive). */
  after?: string
}

export interface RangeResult {
  /** The revision that the answer shows. */
  revision: number
  items: StoredObject[]
  /** Keys of the range behind the last item returned; 0 when the answer is complete. */
  remaining: number
}

/** What a transaction assumes; if one does not hold nothing is written. Revision 0: the key must be absent. */
export interface Guard {
  key: string
  revision: number
}

export type Change =
  /** Ownership of `object` passes to the store, which sets its `metadata.resourceVersion`. The member must already be there
   * (any value), so that the order of members is kept. */
  { type: 'put'; key: string; object: KubeObject } | { type: 'delete'; key: string }

export type TransactionResult =
  /** All changes share one revision. `stored[i]` is what change `i` wrote; for a delete the last state carrying the deletion's revision as resourceVersion. */
  | { succeeded: true; revision: number; stored: StoredObject[] }
  /** `current` is what the first guard that failed found (undefined: nothing there). */
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
  /** Events in order of revision, each once. Called synchronously after the commit: must not throw, must not block. */
  event(event: StorageEvent): void
  /** The stream ended from the storage's side: compacted past the start (`gone`), or the store was closed or reloaded. */
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

/** The shared store behind this one does not answer, or refuses everything. */
export class StorageUnavailableError extends Error {
  constructor(
    message: string,
    /** The write may have been carried out, or be yet. */
    readonly uncertain: boolean,
  ) {
    super(message)
  }
}

/** The time that a request had was over while the store was waited for. */
export class StorageTimeoutError extends StorageUnavailableError {}

/** The shared store refused what was asked, for a reason of its own: it is full. Nothing was done. The message is its own. */
export class StorageRefusedError extends Error {}

/** The backend refused the write because another engine has written since: this one must catch up first. */
export class FencedError extends Error {}

export interface TransactionOptions {
  /**
   * Identity of the request behind the transaction, for requests that write once. A second transaction under the same identity
   * writes nothing and answers as the first did, whatever its guards say. Kept, with the write itself, until compaction.
   */
  requestId?: string
  /** Name of the user who asked for it, kept with what is written: history tells it. Absent: nobody did. */
  author?: string
  /** Milliseconds for which whoever asked waits at most: for stores that may have to be waited for. */
  within?: number
  /**
   * Writes what any engine makes by itself, such as the objects of a fresh server: readers see it before it is durable. Should it
   * never become so, the store goes back to what is, and says `gone` to its watchers. Whatever is written later waits for it.
   */
  provisional?: boolean
}

/** What history keeps of a key: a state, or that the key was deleted. */
export interface KeptVersion {
  revision: number
  stored: StoredObject | undefined
  author: string | undefined
}

/** A transaction that took place. */
export type Outcome = Extract<TransactionResult, { succeeded: true }>

/** A state that is here as a whole: reading it waits for nobody. */
export interface StateAtHand {
  get(key: string): StoredObject | undefined
  /** Items under the prefix in key order. */
  range(prefix: string): StoredObject[]
}

export interface Storage {
  /** The newest revision. A fresh store begins at 1. */
  currentRevision(): number
  /** Everything before this revision is forgotten. */
  compactRevision(): number
  get(key: string, options?: { revision?: number }): Promise<StoredObject | undefined>
  /**
   * The newest state, as `get` and `range` would show it, for what reads much at once and would wait a turn for each look. Undefined, or
   * absent, where another engine may have written what is not here yet.
   */
  atHand?(): StateAtHand | undefined
  /**
   * Resolves when what is read here is not older than what any engine over the same store had acknowledged at the time of the call.
   * Absent where one engine sees all writes at once.
   * @param within milliseconds for which whoever asked waits at most
   * @throws StorageUnavailableError, StorageTimeoutError
   */
  newest?(within?: number): Promise<void>
  /** Items under the prefix in key order. @throws CompactedError, FutureRevisionError */
  range(prefix: string, options?: RangeOptions): Promise<RangeResult>
  /** How many keys lie under the prefix now. */
  count(prefix: string): Promise<number>
  /** All changes or none, if every guard holds. @throws Error for a delete of what is not there, or two changes of one key */
  transaction(
    guards: Guard[],
    changes: Change[],
    options?: TransactionOptions,
  ): Promise<TransactionResult>
  /** What the request of that identity wrote, if it has been here before: to be asked before a repeated request is judged anew. */
  outcome(requestId: string): Promise<Outcome | undefined>
  /** Events with a revision above `after` under the prefix (or of the one key, if it does not end with `/`). @throws CompactedError */
  watch(prefix: string, after: number, sink: WatchSink): Watcher
  /** Hears from now on of what sinks throw, which neither the write nor other sinks suffer from. */
  onListenerFailure?(report: (error: unknown) => void): void
  compact(revision: number): Promise<void>
  /** Every version of the key that is still kept, oldest first; a deletion is a version without object. */
  history(key: string): Promise<KeptVersion[]>
  close(): Promise<void>
}
