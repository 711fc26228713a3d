/** What is measured of a queue of work. */

/** What one queue tells. */
export interface QueueMeter {
  /** @returns when, for `begin` */
  added(): number
  /** Work on an item begins. @param added when it was added @returns tells that it is over */
  begin(added: number): () => void
  /** An item comes again, as work on it failed. */
  retried(): void
  /** So many items are worked on no more. */
  dropped(items: number): void
}

export interface QueueMeters {
  /** @param queue its name, with that of its controller first */
  of(queue: string): QueueMeter
}
