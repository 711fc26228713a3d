import type { LoggedRequest, Origin } from './logged-request'

/** Keeps more requests of the user and of scripts than of the page. */
export const KEPT: Record<Origin, number> = { action: 1000, script: 1000, page: 300 }
/** Total size of stored bodies. */
const MAX_CHARS = 20_000_000
export const NOT_KEPT = '… dropped to make space for newer responses'

const charsOf = ({ body = '', response = '' }: LoggedRequest): number =>
  body.length + response.length

export class RequestLog {
  /** Oldest first. Immutable: a change replaces the array. */
  entries: readonly LoggedRequest[] = []
  /** Without the page's own. */
  dropped = 0
  /** Includes those of dropped requests. */
  responses = 0
  private chars = 0
  private readonly counts: Record<Origin, number> = { action: 0, script: 0, page: 0 }

  add(entry: LoggedRequest): void {
    this.entries = [...this.entries, entry]
    this.chars += charsOf(entry)
    this.counts[entry.origin]++
    if (this.counts[entry.origin] > KEPT[entry.origin])
      this.drop(this.entries.findIndex(({ origin }) => origin === entry.origin))
    this.makeRoom()
  }

  get(id: number): LoggedRequest | undefined {
    return this.entries[this.placeOf(id)]
  }

  change(id: number, part: Partial<LoggedRequest>): void {
    const at = this.placeOf(id)
    const before = this.entries[at]
    if (before === undefined) return
    if (before.status === undefined && part.status !== undefined) this.responses++
    this.replace(at, { ...before, ...part })
    this.makeRoom()
  }

  clear(): void {
    this.entries = []
    this.dropped = 0
    this.chars = 0
    for (const origin of Object.keys(KEPT) as Origin[]) this.counts[origin] = 0
  }

  private placeOf(id: number): number {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.entries[middle] as LoggedRequest).id < id) low = middle + 1
      else high = middle
    }
    return this.entries[low]?.id === id ? low : -1
  }

  private replace(at: number, entry: LoggedRequest): void {
    this.chars += charsOf(entry) - charsOf(this.entries[at] as LoggedRequest)
    this.entries = this.entries.with(at, entry)
  }

  private drop(at: number): void {
    const entry = this.entries[at]
    if (entry === undefined) return
    this.chars -= charsOf(entry)
    this.counts[entry.origin]--
    if (entry.origin !== 'page') this.dropped++
    this.entries = this.entries.toSpliced(at, 1)
  }

  /**
   * Drops old responses first; a request body only with its entry, because it can be sent again.
   * The newest entry always remains.
   */
  private makeRoom(): void {
    for (let at = 0; this.chars > MAX_CHARS && at < this.entries.length - 1; at++) {
      const entry = this.entries[at] as LoggedRequest
      if ((entry.response?.length ?? 0) > NOT_KEPT.length)
        this.replace(at, { ...entry, response: NOT_KEPT })
    }
    while (this.chars > MAX_CHARS && this.entries.length > 1) this.drop(0)
  }
}
