/**
 * Pod annotations hold failure counts.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#backoff-limit-per-index
 */

import type { Job } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import type { Stored } from '../runtime/stored'
import { endOf, hasFailed, verdictOn, waitAfter } from './failures'
import { indexOf } from './indexes'
import { isTracked } from './pods'

const FAILURES = 'batch.kubernetes.io/job-index-failure-count'
/** Failures that the pod failure policy ignores. */
const IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count'

export const hasLimitPerIndex = ({ spec }: Job): boolean => spec?.backoffLimitPerIndex !== undefined

/** Failures of the index before this pod. */
export const failuresOf = (pod: Stored<Pod>): number => markOf(pod, FAILURES)

const markOf = ({ metadata }: Stored<Pod>, mark: string): number =>
  Number(entryOf(metadata.annotations, mark) ?? 0) || 0
const allFailuresOf = (pod: Stored<Pod>): number => failuresOf(pod) + markOf(pod, IGNORED_FAILURES)

/** @param isSettled the index needs no other pod */
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

/** @returns milliseconds until the index gets another pod */
export function waitBefore(last: Stored<Pod> | undefined, now: number): number {
  return last === undefined
    ? 0
    : Math.max(0, endOf(last) + waitAfter(allFailuresOf(last) + 1) - now)
}

export function failureMarks(job: Job, last: Stored<Pod> | undefined): Record<string, string> {
  if (last === undefined) return { [FAILURES]: '0' }
  const { counts } = verdictOn(job, last)
  const ignored = counts ? 0 : markOf(last, IGNORED_FAILURES) + 1
  return {
    [FAILURES]: String(failuresOf(last) + (counts ? 1 : 0)),
    ...(ignored > 0 && { [IGNORED_FAILURES]: String(ignored) }),
  }
}
