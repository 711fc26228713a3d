/** What the store in memory asks of whatever keeps its writes: an append-only log of versions that several engines may share. */
import type { KubeObject } from '../object'
import type { VersionId } from './versions'

/** One change as a backend keeps it. */
export interface CommittedChange {
  key: string
  revision: number
  createRevision: number
  /** undefined: deleted. */
  object: KubeObject | undefined
  /** Name of the user who asked for it; absent: nobody did. */
  author?: string
}

/** One change as a backend gives it back: the object may be its canonical JSON, which is parsed when somebody asks for it. */
export interface KeptChange extends Omit<CommittedChange, 'object'> {
  object: KubeObject | string | undefined
}

/** Several transactions, made durable together. */
export interface CommitBatch {
  /** The revision that the batch was validated against: the write is refused if the store stands anywhere else. */
  from: number
  /** The revision that the store has afterwards. */
  to: number
  changes: CommittedChange[]
  requests: RequestRecord[]
}

/** Which revision the request of an identity wrote. */
export interface RequestRecord {
  id: string
  revision: number
}

/** The durable log, from some revision on. */
export interface Snapshot {
  revision: number
  /** Everything before this revision has been forgotten. */
  compacted: number
  /** All there is, rather than what is newer than what was asked for. */
  complete: boolean
  /** In order of revision. What is not newer than `compacted` is the state that was kept. */
  changes: KeptChange[]
  requests: RequestRecord[]
}

export interface CommitBackend {
  /** Makes the batch durable, all or nothing. @throws FencedError if the store does not stand at `from`: another engine has written */
  commit(batch: CommitBatch): Promise<void>
  /** What is newer than `after`; everything (and `complete`) if that is no longer known, or without `after`. */
  load(after?: number): Promise<Snapshot>
  /**
   * The revision that the store stands at, asked for by reads that must see what others have written before them. Undefined (or
   * absent): no other engine writes here.
   */
  current?(): Promise<number> | undefined
  /** Forgets these versions. Failing is harmless: they are forgotten again after the next load. */
  compact(revision: number, versions: VersionId[]): Promise<void>
  /** Calls back whenever another engine has written. */
  onForeignCommit?(run: () => void): void
  /** Lets go of the store. */
  close?(): void
}
