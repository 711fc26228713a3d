export interface QueueMeter {
  /** @returns the time of the addition, for `begin` */
  added(): number
  /** @param added the time of the addition @returns a function that ends the work */
  begin(added: number): () => void
  retried(): void
  dropped(items: number): void
}

export interface QueueMeters {
  /** @param queue its name, with that of its controller first */
  of(queue: string): QueueMeter
}
