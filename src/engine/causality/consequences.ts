/** The chain of controller writes that followed from a write, by revision. */
import type { KubeObject } from '../core/object'
import type { Storage, StorageEvent } from '../storage/storage'
import { type Change, changeOf } from './change'
import { changedFields } from './changed-fields'
import type { ControllerWrite } from './controller-writes'
import { nameOf, subjectOf, Writers } from './writers'

export interface Step extends Change {
  /** The writing controller; undefined for roots. */
  by: string | undefined
  /** The causing revision; undefined for roots. */
  cause: number | undefined
  /** After a deletion, the last state. */
  object: KubeObject
  fields: string[]
}

export interface Consequences {
  /** False if history after the requested revision is compacted. */
  complete: boolean
  newest: number
  steps: Step[]
  /** The chain reached MOST_STEPS. */
  truncated: boolean
}

/** The writes that start a chain. */
export interface Roots {
  revisions: readonly number[]
  /** Uids of deleted objects: a deletion's response has no revision. */
  deleted: readonly string[]
  /** Newest revision of an earlier response. */
  known?: number | undefined
}

/** Bounds the size of a response. */
const MOST_STEPS = 1000

/** @returns undefined if storage has not changed since revision `known` */
export function consequencesOf(
  storage: Storage,
  writes: readonly ControllerWrite[],
  { revisions, deleted, known }: Roots,
): Consequences | undefined {
  const [oldest, newest] = [storage.compactRevision(), storage.currentRevision()]
  if (newest === known) return undefined
  const first = revisions.reduce((least, revision) => Math.min(least, revision), newest)
  const complete = first > oldest
  const chain = new Chain(writes, new Set(revisions), new Set(deleted))
  const after = deleted.length > 0 ? oldest : first - 1
  const sink = { event: (event: StorageEvent) => chain.look(event), end() {} }
  // A watch delivers past events synchronously; stopping it skips later ones.
  if (complete && after < newest) storage.watch('/registry/', after, sink).stop()
  return { complete, newest, steps: chain.steps, truncated: chain.isFull }
}

class Chain {
  readonly steps: Step[] = []
  private readonly writers: Writers
  private readonly included = new Set<number>()
  /** Last revision of each object in the chain. */
  private readonly objects = new Map<string, number>()

  constructor(
    writes: readonly ControllerWrite[],
    private readonly revisions: ReadonlySet<number>,
    private readonly deleted: ReadonlySet<string>,
  ) {
    this.writers = new Writers(writes)
  }

  get isFull(): boolean {
    return this.steps.length >= MOST_STEPS
  }

  /** Adds a change that the chain caused. Call in order of revisions. */
  look(event: StorageEvent): void {
    if (this.isFull) return
    const change = changeOf(event)
    const write = this.isRoot(event) ? undefined : this.writers.of(change)
    const cause = write && this.causeOf(write, event.current.object)
    if (!this.isRoot(event) && cause === undefined) return
    this.included.add(event.revision)
    this.objects.set(nameOf(change), event.revision)
    const { object } = event.current
    this.steps.push({ ...change, by: write?.user, cause, object, fields: changedFields(event) })
  }

  private isRoot({ type, revision, current }: StorageEvent): boolean {
    return (
      this.revisions.has(revision) ||
      (type === 'DELETED' && this.deleted.has(current.object.metadata.uid ?? ''))
    )
  }

  private causeOf({ causes }: ControllerWrite, object: KubeObject): number | undefined {
    if (causes.length > 0) return causes.find((revision) => this.included.has(revision))
    return this.objects.get(subjectOf(object))
  }
}
