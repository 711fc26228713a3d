/** Completion indexes of jobs, and their written form: `0,2-4`. */
import type { Job } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'

export const INDEX = 'batch.kubernetes.io/job-completion-index'

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed'

/** The pod's index, if it is one of the job's. */
export function indexOf(job: Job, { metadata }: Stored<Pod>): number | undefined {
  const text = metadata.annotations?.[INDEX]
  const index = text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
  return index !== undefined && index < (job.spec?.completions ?? 0) ? index : undefined
}

/** @param below indexes from here on are no longer the job's: the number of completions may have become less */
export function parseIndexes(text: string | undefined, below = Number.POSITIVE_INFINITY): Set<number> {
  const found = new Set<number>()
  for (const part of (text ?? '').split(',').filter((item) => item !== '')) {
    const [first = 0, last = first] = part.split('-').map(Number)
    for (let index = first; index <= last && index < below; index++) found.add(index)
  }
  return found
}

export function indexesText(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b)
  const parts: string[] = []
  for (let i = 0; i < sorted.length; ) {
    let end = i
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++
    // Two in a row are written one by one.
    if (end - i >= 2) parts.push(`${sorted[i]}-${sorted[end]}`)
    else for (let at = i; at <= end; at++) parts.push(String(sorted[at]))
    i = end + 1
  }
  return parts.join(',')
}
