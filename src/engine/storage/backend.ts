/** A durable log that several engines may share. */
import type { KubeObject } from '../core/object'
import type { VersionId } from './versions'

export interface CommittedChange {
  key: string
  revision: number
  createRevision: number
  /** undefined: deleted. */
  object: KubeObject | undefined
  /** Absent for the server's own writes. */
  author?: string
}

/** `object` may be JSON text, parsed on first access. */
export interface LoadedChange extends Omit<CommittedChange, 'object'> {
  object: KubeObject | string | undefined
}

export interface CommitBatch {
  /** The batch was validated against revision `from`. */
  from: number
  to: number
  changes: CommittedChange[]
  requests: RequestRecord[]
}

export interface RequestRecord {
  id: string
  revision: number
}

export interface Snapshot {
  revision: number
  compacted: number
  /** False: only the changes after the requested revision. */
  complete: boolean
  /** Changes up to `compacted` are the state at that revision. */
  changes: LoadedChange[]
  requests: RequestRecord[]
}

export interface CommitBackend {
  /** Atomic. @throws FencedError if another engine has written */
  commit(batch: CommitBatch): Promise<void>
  /** Everything if `after` is absent or compacted. */
  load(after?: number): Promise<Snapshot>
  /** undefined: no other engine writes here. */
  current?(): Promise<number> | undefined
  /** A failure is harmless: the next load repeats it. */
  compact(revision: number, versions: VersionId[]): Promise<void>
  onForeignCommit?(run: () => void): void
  close?(): void
}
