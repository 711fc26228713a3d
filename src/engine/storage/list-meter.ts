/** What is measured of lists. */

/** Objects in the course of one list: read from the store, tested against the selection, returned. */
export interface ListCounts {
  fetched: number
  evaluated: number
  returned: number
}

export interface ListMeter {
  /** A list was served. @param of which resource */
  listed(of: { group: string; resource: string }, counts: ListCounts): void
}
