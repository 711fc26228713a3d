/** Metrics of work queues. */

/** The meter of one queue. */
export interface QueueMeter {
  /** @returns when, for `begin` */
  added(): number
  /** Starts work on an item. @param added when it was added @returns a function that ends it */
  begin(added: number): () => void
  /** An item comes again, as work on it failed. */
  retried(): void
  /** That many items are dropped. */
  dropped(items: number): void
}

export interface QueueMeters {
  /** @param queue its name, with that of its controller first */
  of(queue: string): QueueMeter
}
