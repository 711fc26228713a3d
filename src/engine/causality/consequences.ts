/**
 * What followed from a write: the writes of controllers that reacted to it, and to those, in the
 * order of their revisions. Controllers record to which revisions they react.
 */
import type { KubeObject } from '../core/object'
import type { Storage, StorageEvent } from '../storage/storage'
import { type Change, changeOf } from './change'
import { changedFields } from './changed-fields'
import type { ControllerWrite } from './controller-writes'
import { nameOf, subjectOf, Writers } from './writers'

/** One write in a chain of consequences. */
export interface Step extends Change {
  /** The controller that wrote; undefined for the writes that the chain begins with. */
  by: string | undefined
  /** The revision that it reacted to; undefined for the writes that the chain begins with. */
  cause: number | undefined
  /** The object after the write, or the last one before its deletion. */
  object: KubeObject
  /** Top-level fields of the object, of `status` and of `spec` that the write changed. */
  fields: string[]
}

export interface Consequences {
  /** Whether all changes after the requested revision are still stored. */
  complete: boolean
  newest: number
  steps: Step[]
  /** Whether the chain may have further steps. */
  truncated: boolean
}

/** The writes that a chain begins with. */
export interface Roots {
  revisions: readonly number[]
  /** Objects whose deletion begins a chain, by uid: the response of a deletion has no revision. */
  deleted: readonly string[]
  /** The newest revision of an earlier response. */
  known?: number | undefined
}

/** Longer chains end here, so that a response has a bounded size. */
const MOST_STEPS = 1000

/**
 * @param writes of controllers, in their order
 * @returns undefined if the storage has not changed since the `known` revision
 */
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
  // A watch delivers past events synchronously, and is stopped before later ones.
  if (complete && after < newest) storage.watch('/registry/', after, sink).stop()
  return { complete, newest, steps: chain.steps, truncated: chain.isFull }
}

class Chain {
  readonly steps: Step[] = []
  private readonly writers: Writers
  private readonly included = new Set<number>()
  /** The last revision of each object in the chain. */
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

  /** Takes a change into the chain if a part of the chain caused it. Revisions ascend. */
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
