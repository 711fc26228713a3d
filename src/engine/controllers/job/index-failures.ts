/**
 * Failures of single indexes, where a job limits those (public documentation, "Backoff limit per index"): each index waits by itself
 * before its next try, the longer the more often it failed. How often that was is written on its pods.
 */

import type { Job } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import { entryOf } from '../../object'
import type { Stored } from '../runtime/stored'
import { endOf, hasFailed, verdictOn, waitAfter } from './failures'
import { indexOf } from './indexes'
import { isTracked } from './pods'

const FAILURES = 'batch.kubernetes.io/job-index-failure-count'
/** Failures that the pod failure policy does not count. */
const IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count'

export const hasLimitPerIndex = ({ spec }: Job): boolean => spec?.backoffLimitPerIndex !== undefined

/** How often the pod's index had failed before it. */
export const failuresOf = (pod: Stored<Pod>): number => markOf(pod, FAILURES)

const markOf = ({ metadata }: Stored<Pod>, mark: string): number =>
  Number(entryOf(metadata.annotations, mark) ?? 0) || 0
const allFailuresOf = (pod: Stored<Pod>): number => failuresOf(pod) + markOf(pod, IGNORED_FAILURES)

/** The pod that failed last of each index that still needs one. @param isSettled whether an index needs no other pod */
export function lastFailures(
  job: Job,
  pods: readonly Stored<Pod>[],
  isSettled: (index: number) => boolean,
): Map<number, Stored<Pod>> {
  const last = new Map<number, Stored<Pod>>()
  for (const pod of pods) {
    const index = indexOf(job, pod)
    if (index === undefined || !isTracked(pod) || !hasFailed(job, pod) || isSettled(index)) continue
    const known = last.get(index)
    if (known === undefined || allFailuresOf(known) <= allFailuresOf(pod)) last.set(index, pod)
  }
  return last
}

/** Milliseconds before an index gets another pod. @param last its pod that failed last */
export function waitBefore(last: Stored<Pod> | undefined, now: number): number {
  return last === undefined
    ? 0
    : Math.max(0, endOf(last) + waitAfter(allFailuresOf(last) + 1) - now)
}

/** The annotations that tell a new pod how often its index failed before. */
export function failureMarks(job: Job, last: Stored<Pod> | undefined): Record<string, string> {
  if (last === undefined) return { [FAILURES]: '0' }
  const { counts } = verdictOn(job, last)
  const ignored = counts ? 0 : markOf(last, IGNORED_FAILURES) + 1
  return {
    [FAILURES]: String(failuresOf(last) + (counts ? 1 : 0)),
    ...(ignored > 0 && { [IGNORED_FAILURES]: String(ignored) }),
  }
}
