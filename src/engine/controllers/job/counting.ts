import type { Job } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'
import { hasEnded, isActive, isReady } from '../shared/pods'
import { verdictOn } from './failures'
import { failuresOf } from './index-failures'
import { IndexSet, indexOf, isIndexed } from './indexes'

export interface PodCounts {
  active: number
  ready: number
  terminating: number
  succeeded: number
  failed: number
  completed: IndexSet
  failedIndexes: IndexSet
}

/** Uids of finished pods that the counters do not include yet. */
export function uncountedPods({ status }: Stored<Job>): Set<string> {
  const { succeeded = [], failed = [] } = status?.uncountedTerminatedPods ?? {}
  return new Set([...(succeeded ?? []), ...(failed ?? [])])
}

/** Excludes indexes that the Job does not have. */
export const concerns = (job: Stored<Job>, pod: Stored<Pod>): boolean =>
  !isIndexed(job) || indexOf(job, pod) !== undefined

export function countedPods(
  job: Stored<Job>,
  pods: Stored<Pod>[],
  newlySucceeded: Stored<Pod>[],
  newlyFailed: Stored<Pod>[],
): PodCounts {
  const { status } = job
  const { succeeded, failed } = status?.uncountedTerminatedPods ?? {}
  const alive = pods.filter(isActive)
  const counts = {
    active: alive.length,
    ready: alive.filter(isReady).length,
    terminating: pods.filter((pod) => pod.metadata.deletionTimestamp && !hasEnded(pod)).length,
    succeeded: (status?.succeeded ?? 0) + newlySucceeded.length + (succeeded?.length ?? 0),
    failed:
      (status?.failed ?? 0) +
      newlyFailed.filter((pod) => verdictOn(job, pod).counts).length +
      (failed?.length ?? 0),
    completed: new IndexSet(),
    failedIndexes: new IndexSet(),
  }
  if (!isIndexed(job)) return counts
  const { completions, backoffLimitPerIndex: limit } = job.spec ?? {}
  const completed = IndexSet.parse(status?.completedIndexes, completions)
  for (const pod of newlySucceeded) completed.add(indexOf(job, pod) ?? 0)
  const failedIndexes = IndexSet.parse(status?.failedIndexes, completions)
  for (const pod of limit === undefined ? [] : newlyFailed) {
    const index = indexOf(job, pod)
    if (index === undefined || completed.has(index)) continue
    const { action, counts } = verdictOn(job, pod)
    if (action === 'FailIndex' || (counts && failuresOf(pod) >= (limit ?? 0)))
      failedIndexes.add(index)
  }
  return { ...counts, succeeded: completed.size, completed, failedIndexes }
}
