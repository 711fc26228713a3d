import type { JobCondition, JobStatus } from 'kubernetes-types/batch/v1'
import { timestamp } from '../../core/environment'
import type { Conclusion } from './conclusions'
import type { IndexSet } from './indexes'

/** Includes uids that are not yet in the counters. */
export interface Counts {
  succeeded: number
  failed: number
  uncounted: { succeeded: string[]; failed: string[] }
}

export interface Progress {
  conditions: JobCondition[]
  startTime: string | undefined
  completionTime: string | undefined
  active: number
  ready: number
  terminating: number | undefined
  completed: IndexSet
  /** Undefined without `backoffLimitPerIndex`. */
  failedIndexes: IndexSet | undefined
}

export function statusOf(
  {
    conditions,
    startTime,
    completionTime,
    active,
    ready,
    terminating,
    completed,
    failedIndexes,
  }: Progress,
  { succeeded, failed, uncounted }: Counts,
): JobStatus {
  const completedIndexes = completed.toString()
  return {
    ...(conditions.length > 0 && { conditions }),
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    ...(active > 0 && { active }),
    ...(succeeded > 0 && { succeeded }),
    ...(failed > 0 && { failed }),
    ...(terminating !== undefined && { terminating }),
    ...(completedIndexes !== '' && { completedIndexes }),
    ...(failedIndexes !== undefined && { failedIndexes: failedIndexes.toString() }),
    uncountedTerminatedPods: {
      ...(uncounted.succeeded.length > 0 && { succeeded: uncounted.succeeded }),
      ...(uncounted.failed.length > 0 && { failed: uncounted.failed }),
    },
    ready,
  }
}

/** @returns the same list if unchanged */
export function withCondition(
  conditions: JobCondition[],
  { type, reason, message }: Conclusion,
  status: string,
  now: number,
): JobCondition[] {
  const present = conditions.find((candidate) => candidate.type === type)
  if (present?.status === status) return conditions
  const time = timestamp(now)
  const next = {
    type,
    status,
    lastProbeTime: time,
    lastTransitionTime: time,
    reason,
    message,
  } as JobCondition
  return present
    ? conditions.map((other) => (other === present ? next : other))
    : [...conditions, next]
}
