/**
 * Why controllers write. A controller reacts to changes: an informer reports a change, its listener
 * adds a key to a queue, and the writes that follow while the queue processes the key are caused by
 * that change. kube-controller-manager has no such record.
 */

/** A successful write of a controller. */
export interface ControllerWrite {
  /** The user of the controller. */
  user: string
  kind: string
  /** Empty for cluster-scoped objects. */
  namespace: string
  name: string
  /**
   * The revision of the object in the response; undefined if the response is a Status, as of
   * bindings and some deletions.
   */
  revision: number | undefined
  /**
   * The revisions to which the controller reacted; empty if it acts by time, or on the object
   * itself.
   */
  causes: readonly number[]
}

/** A change that causes more writes than this is known for its last ones only. */
const MOST_WRITES = 4096
/** A key that many changes have added reacts to the first and the latest. */
const MOST_CAUSES = 8

/** The latest writes of all controllers. */
export class WriteCauses {
  private readonly writes: ControllerWrite[] = []
  private next = 0
  /** The revision of the change that informers report at this moment. */
  private reported: number | undefined

  /** Runs the listeners of a change. */
  reporting(revision: number, notify: () => void): void {
    const outer = this.reported
    this.reported = revision
    try {
      notify()
    } finally {
      this.reported = outer
    }
  }

  get now(): number | undefined {
    return this.reported
  }

  add(write: ControllerWrite): void {
    this.writes[this.next % MOST_WRITES] = write
    this.next++
  }

  /** @returns the writes in their order */
  all(): ControllerWrite[] {
    const start = this.next % MOST_WRITES
    return this.next <= MOST_WRITES
      ? [...this.writes]
      : [...this.writes.slice(start), ...this.writes.slice(0, start)]
  }
}

/** The keys that one controller processes, with what added them to its queues. */
export class ControllerCauses {
  private readonly processed = new Set<readonly number[]>()

  /** @param tracks false for a component that acts on objects by their own state */
  constructor(
    readonly writes: WriteCauses,
    private readonly tracks = true,
  ) {}

  /** What would cause a key that is added at this moment. */
  current(): readonly number[] {
    if (!this.tracks) return []
    const reported = this.writes.now
    if (reported !== undefined) return [reported]
    const [only, ...others] = this.processed
    return only === undefined ? [] : others.length === 0 ? only : [...new Set(this.all())]
  }

  async processing(causes: readonly number[], run: () => Promise<void>): Promise<void> {
    // A copy, because the same list may be processed twice at a time.
    const own = [...causes]
    this.processed.add(own)
    try {
      await run()
    } finally {
      this.processed.delete(own)
    }
  }

  private *all(): Iterable<number> {
    for (const causes of this.processed) yield* causes
  }
}

/** Joins the causes of a key that is added again. */
export function joined(known: readonly number[], added: readonly number[]): readonly number[] {
  if (known.length === 0) return added
  const all = [...new Set([...known, ...added])]
  return all.length <= MOST_CAUSES ? all : [...all.slice(0, 1), ...all.slice(1 - MOST_CAUSES)]
}
