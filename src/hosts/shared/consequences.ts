/**
 * What followed from a write: the writes of controllers that reacted to it, and to those, in the
 * order of their revisions. Controllers record to which revisions they react.
 */
import type { Event as CoreEvent } from 'kubernetes-types/core/v1'
import { entryOf, equalJson, type JsonObject, type KubeObject } from '../../engine/core/object'
import type { ControllerWrite } from '../../engine/server/server'
import type { Storage, StorageEvent } from '../../engine/storage/storage'
import type { Change, Consequences, Roots, Step } from './channel'
import { changeOf } from './timeline'

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

/** The object by whose state a scheduler or kubelet acts: the written one, or that of an event. */
function subjectOf(object: KubeObject): string {
  const { involvedObject } = object as KubeObject & Partial<CoreEvent>
  const {
    kind = '',
    namespace = '',
    name = '',
  } = object.kind === 'Event' && involvedObject
    ? involvedObject
    : { ...object.metadata, kind: object.kind }
  return nameOf({ kind, namespace, name })
}

const nameOf = ({ kind, namespace, name }: Pick<Change, 'kind' | 'namespace' | 'name'>): string =>
  `${kind}/${namespace}/${name}`

/** Finds the controller's write of a change. */
class Writers {
  private readonly byRevision = new Map<number, ControllerWrite>()
  /** Writes whose response had no revision, in their order. */
  private readonly byObject = new Map<string, ControllerWrite[]>()

  constructor(writes: readonly ControllerWrite[]) {
    for (const write of writes) {
      if (write.revision === undefined) {
        const name = nameOf(write)
        const others = this.byObject.get(name)
        if (others) others.push(write)
        else this.byObject.set(name, [write])
      } else this.byRevision.set(write.revision, write)
    }
  }

  /** Must be called in the order of revisions, since each write has one change. */
  of(change: Change): ControllerWrite | undefined {
    const known = this.byRevision.get(change.revision)
    if (known) return known
    const candidates = this.byObject.get(nameOf(change)) ?? []
    const index = candidates.findIndex(({ causes }) =>
      causes.every((revision) => revision < change.revision),
    )
    return index < 0 ? undefined : candidates.splice(index, 1)[0]
  }
}

function changedFields({ type, current, previous }: StorageEvent): string[] {
  if (type !== 'MODIFIED' || previous === undefined) return []
  const [now, before] = [current.object, previous.object] as unknown as JsonObject[]
  if (now === undefined || before === undefined) return []
  return differing(now, before).flatMap((member) => {
    if (member === 'metadata')
      return differing(objectAt(now, member), objectAt(before, member))
        .filter((name) => name !== 'resourceVersion' && name !== 'managedFields')
        .map((name) => `metadata.${name}`)
    if (member !== 'spec' && member !== 'status') return [member]
    return differing(objectAt(now, member), objectAt(before, member)).map(
      (name) => `${member}.${name}`,
    )
  })
}

const objectAt = (object: JsonObject, member: string): JsonObject => {
  const value = entryOf(object, member)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

const differing = (now: JsonObject, before: JsonObject): string[] =>
  [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(
    (name) => !equalJson(entryOf(now, name), entryOf(before, name)),
  )
