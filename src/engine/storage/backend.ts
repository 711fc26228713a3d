/** The durable append-only log behind the in-memory store; several engines may share it. */
import type { KubeObject } from '../core/object'
import type { VersionId } from './versions'

export interface CommittedChange {
  key: string
  revision: number
  createRevision: number
  /** undefined: deleted. */
  object: KubeObject | undefined
  /** Absent for writes of the server itself. */
  author?: string
}

/** `object` may be canonical JSON, parsed on first access. */
export interface LoadedChange extends Omit<CommittedChange, 'object'> {
  object: KubeObject | string | undefined
}

export interface CommitBatch {
  /** The batch was validated against this revision. */
  from: number
  to: number
  changes: CommittedChange[]
  requests: RequestRecord[]
}

/** Which revision the request wrote. */
export interface RequestRecord {
  id: string
  revision: number
}

export interface Snapshot {
  revision: number
  compacted: number
  /** False: only the changes after the requested revision. */
  complete: boolean
  /** In order of revision. Those up to `compacted` are the state at that revision. */
  changes: LoadedChange[]
  requests: RequestRecord[]
}

export interface CommitBackend {
  /** Atomic. @throws FencedError if another engine has written since `from` */
  commit(batch: CommitBatch): Promise<void>
  /** Loads everything if `after` is absent or compacted. */
  load(after?: number): Promise<Snapshot>
  /** The durable revision. Absent or undefined: no other engine writes here. */
  current?(): Promise<number> | undefined
  /** A failure is harmless: the next load repeats it. */
  compact(revision: number, versions: VersionId[]): Promise<void>
  onForeignCommit?(run: () => void): void
  close?(): void
}
