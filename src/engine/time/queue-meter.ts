export interface QueueMeter {
  /** @returns the time, for `begin` */
  added(): number
  /** @returns ends the work */
  begin(added: number): () => void
  retried(): void
  dropped(items: number): void
}

export interface QueueMeters {
  /** @param queue controller name first */
  of(queue: string): QueueMeter
}
