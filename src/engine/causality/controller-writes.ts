/**
 * Records why controllers write: an informer's change adds a key to a queue, and causes the writes
 * made while that key is processed. kube-controller-manager has no such record.
 */

export interface ControllerWrite {
  user: string
  kind: string
  /** Empty if cluster-scoped. */
  namespace: string
  name: string
  /** Undefined if the response is a Status (bindings, some deletions). */
  revision: number | undefined
  /** Revisions that caused the write; empty if timers or the object itself did. */
  causes: readonly number[]
}

/** Older writes are dropped. */
const MOST_WRITES = 4096
/** Of more causes, the first and the latest are stored. */
const MOST_CAUSES = 8

export class WriteCauses {
  private readonly writes: ControllerWrite[] = []
  private next = 0
  /** Revision that informers report now. */
  private reported: number | undefined

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

  all(): ControllerWrite[] {
    const start = this.next % MOST_WRITES
    return this.next <= MOST_WRITES
      ? [...this.writes]
      : [...this.writes.slice(start), ...this.writes.slice(0, start)]
  }
}

/** Keys that one controller processes now, with their causes. */
export class ControllerCauses {
  private readonly processed = new Set<readonly number[]>()

  /** @param tracks false if the component acts on objects by their own state */
  constructor(
    readonly writes: WriteCauses,
    private readonly tracks = true,
  ) {}

  /** Causes of a key added now. */
  current(): readonly number[] {
    if (!this.tracks) return []
    const reported = this.writes.now
    if (reported !== undefined) return [reported]
    const [only, ...others] = this.processed
    return only === undefined ? [] : others.length === 0 ? only : [...new Set(this.all())]
  }

  async processing(causes: readonly number[], run: () => Promise<void>): Promise<void> {
    // A copy: one list may be processed twice at a time.
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

export function joined(known: readonly number[], added: readonly number[]): readonly number[] {
  if (known.length === 0) return added
  const all = [...new Set([...known, ...added])]
  return all.length <= MOST_CAUSES ? all : [...all.slice(0, 1), ...all.slice(1 - MOST_CAUSES)]
}
