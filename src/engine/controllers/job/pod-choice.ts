import type { Job } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import type { Stored } from '../runtime/stored'
import { youngestFirst } from '../shared/pod-ranks'
import { isActive } from '../shared/pods'
import { type IndexSet, indexOf, isIndexed } from './indexes'

export const BURST = 500

/** Pods of finished or duplicate indexes, then others by deletion order. */
export function surplusPods(
  job: Stored<Job>,
  alive: Stored<Pod>[],
  wanted: number,
  isSettled: (index: number) => boolean,
): Stored<Pod>[] {
  const removable: Stored<Pod>[] = []
  if (isIndexed(job) && !job.spec?.suspend) {
    const taken = new Set<number>()
    // Keeps the best ranked pod.
    for (const pod of youngestFirst(alive).reverse()) {
      const index = indexOf(job, pod)
      if (index === undefined || taken.has(index) || isSettled(index)) removable.push(pod)
      else taken.add(index)
    }
  }
  const others = alive.filter((pod) => !removable.includes(pod))
  const more = Math.max(0, others.length - wanted)
  return [...removable, ...youngestFirst(others).slice(0, more)].slice(0, BURST)
}

export function pendingIndexes(
  job: Stored<Job>,
  count: number,
  { pods, completed, failed }: { pods: Stored<Pod>[]; completed: IndexSet; failed: IndexSet },
): number[] {
  const busy = new Set(pods.filter(isActive).map((pod) => indexOf(job, pod)))
  const found: number[] = []
  const completions = job.spec?.completions ?? 0
  let index = 0
  while (found.length < count) {
    const free = failed.free(completed.free(index))
    if (free >= completions) break
    if (completed.has(free)) index = free
    else {
      if (!busy.has(free)) found.push(free)
      index = free + 1
    }
  }
  return found
}
