import type { Job } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'

export const INDEX = 'batch.kubernetes.io/job-completion-index'

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed'

/** @returns undefined if the Job has no such index */
export function indexOf(job: Job, { metadata }: Stored<Pod>): number | undefined {
  const text = metadata.annotations?.[INDEX]
  const index = text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
  return index !== undefined && index < (job.spec?.completions ?? 0) ? index : undefined
}

/** Both ends included. */
type Interval = [first: number, last: number]

/** Stores intervals: `0-2147483646` needs as much memory as `0`. */
export class IndexSet {
  /** Sorted, neither overlapping nor adjacent. */
  private runs: Interval[] = []

  /** @param below drops larger indexes: completions can decrease */
  static parse(text: string | undefined, below = Number.POSITIVE_INFINITY): IndexSet {
    const set = new IndexSet()
    const parts = (text ?? '').split(',').filter((part) => part !== '')
    const runs = parts.map((part): Interval => {
      const [first = 0, last = first] = part.split('-').map(Number)
      return [first, Math.min(last, below - 1)]
    })
    for (const run of runs.filter(([first, last]) => first <= last).sort((a, b) => a[0] - b[0]))
      set.append(run)
    return set
  }

  get size(): number {
    return this.runs.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  }

  has(index: number): boolean {
    return this.free(index) !== index
  }

  /** @returns the first index from `from` on that is not in the set */
  free(from: number): number {
    const run = this.runs[this.runAt(from)]
    return run !== undefined && run[0] <= from ? run[1] + 1 : from
  }

  add(index: number): void {
    if (this.has(index)) return
    this.runs.splice(this.runAt(index), 0, [index, index])
    const sorted = this.runs
    this.runs = []
    for (const run of sorted) this.append(run)
  }

  countCommon(other: IndexSet): number {
    let count = 0
    let [i, j] = [0, 0]
    while (i < this.runs.length && j < other.runs.length) {
      const [a, b] = [this.runs[i] as Interval, other.runs[j] as Interval]
      count += Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]) + 1)
      if (a[1] < b[1]) i++
      else j++
    }
    return count
  }

  toString(): string {
    return this.runs
      .map(([first, last]) =>
        last === first ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`,
      )
      .join(',')
  }

  /** The interval must not start before the last one. */
  private append([first, last]: Interval): void {
    const before = this.runs.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else this.runs.push([first, last])
  }

  /** @returns the first interval that ends at `index` or later */
  private runAt(index: number): number {
    let [low, high] = [0, this.runs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.runs[middle] as Interval)[1] < index) low = middle + 1
      else high = middle
    }
    return low
  }
}
