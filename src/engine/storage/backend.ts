/**
 * A durable backend of the in-memory store: an append-only log of versions that several engines may
 * share.
 */
import type { KubeObject } from '../core/object'
import type { VersionId } from './versions'

export interface CommittedChange {
  key: string
  revision: number
  createRevision: number
  /** undefined: deleted. */
  object: KubeObject | undefined
  /** The user who made the request; absent for writes of the server itself. */
  author?: string
}

/** `object` may be canonical JSON, which is parsed on first access. */
export interface LoadedChange extends Omit<CommittedChange, 'object'> {
  object: KubeObject | string | undefined
}

export interface CommitBatch {
  /** The revision that the batch was validated against. */
  from: number
  to: number
  changes: CommittedChange[]
  requests: RequestRecord[]
}

/** The revision that the request with this identity wrote. */
export interface RequestRecord {
  id: string
  revision: number
}

export interface Snapshot {
  revision: number
  compacted: number
  /** Whether this is the whole content, not only the changes after the requested revision. */
  complete: boolean
  /** In order of revision. Changes up to `compacted` are the state at that revision. */
  changes: LoadedChange[]
  requests: RequestRecord[]
}

export interface CommitBackend {
  /** Commits atomically. @throws FencedError if another engine has written since `from` */
  commit(batch: CommitBatch): Promise<void>
  /** Loads changes after `after`; everything if it is absent or compacted. */
  load(after?: number): Promise<Snapshot>
  /**
   * The durable revision, for reads that must see writes of other engines. Absent or undefined: no
   * other engine writes here.
   */
  current?(): Promise<number> | undefined
  /** Deletes these versions. A failure is harmless: they are deleted again after the next load. */
  compact(revision: number, versions: VersionId[]): Promise<void>
  onForeignCommit?(run: () => void): void
  close?(): void
}
