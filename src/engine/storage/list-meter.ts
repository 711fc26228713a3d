export interface ListCounts {
  fetched: number
  evaluated: number
  returned: number
}

export interface ListMeter {
  listed(of: { group: string; resource: string }, counts: ListCounts): void
  /** A watch was closed because its client reads too slowly. */
  watchTerminated(of: { group: string; resource: string }): void
  /** A watch has sent its initial events. @param seconds since its request */
  watchListed(
    of: { group: string; version: string; resource: string; scope: string },
    seconds: number,
  ): void
}
