/** Objects of one list: read from storage, tested against the selectors, returned. */
export interface ListCounts {
  fetched: number
  evaluated: number
  returned: number
}

export interface ListMeter {
  listed(of: { group: string; resource: string }, counts: ListCounts): void
}
