/**
 * The interface between the in-memory store and a durable backend: an append-only log of versions
 * that several engines may share.
 */
import type { KubeObject } from '../core/object'
import type { VersionId } from './versions'

/** One change as a backend stores it. */
export interface CommittedChange {
  key: string
  revision: number
  createRevision: number
  /** undefined: deleted. */
  object: KubeObject | undefined
  /** Name of the user who made the request; absent for writes of the server itself. */
  author?: string
}

/**
 * One change as a backend loads it. The object may be its canonical JSON, which is parsed on first
 * access.
 */
export interface LoadedChange extends Omit<CommittedChange, 'object'> {
  object: KubeObject | string | undefined
}

/** Several transactions, committed together. */
export interface CommitBatch {
  /**
   * The revision that the batch was validated against. The commit is rejected if the store is at
   * another one.
   */
  from: number
  /** The revision of the store afterwards. */
  to: number
  changes: CommittedChange[]
  requests: RequestRecord[]
}

/** The revision that the request with this identity wrote. */
export interface RequestRecord {
  id: string
  revision: number
}

/** The durable log from some revision on. */
export interface Snapshot {
  revision: number
  /** Everything before this revision is compacted. */
  compacted: number
  /** The whole content, not only changes after the requested revision. */
  complete: boolean
  /** In order of revision. Changes up to `compacted` are the state that was kept. */
  changes: LoadedChange[]
  requests: RequestRecord[]
}

export interface CommitBackend {
  /**
   * Commits the batch atomically.
   * @throws FencedError if the store is not at `from`: another engine has written
   */
  commit(batch: CommitBatch): Promise<void>
  /**
   * Changes after `after`. Everything (and `complete`) if `after` is absent or those are compacted.
   */
  load(after?: number): Promise<Snapshot>
  /**
   * The current revision, for reads that must see earlier writes of other engines. Undefined (or
   * absent): no other engine writes here.
   */
  current?(): Promise<number> | undefined
  /** Deletes these versions. A failure is harmless: they are deleted again after the next load. */
  compact(revision: number, versions: VersionId[]): Promise<void>
  /** Calls back whenever another engine has written. */
  onForeignCommit?(run: () => void): void
  /** Closes the store. */
  close?(): void
}
