import type { Job, JobCondition } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import type { Engine } from '../../registry/engine'
import type { Stored } from '../runtime/stored'
import { IndexSet } from './indexes'

export type Conclusion = Pick<JobCondition, 'type' | 'reason' | 'message'>

export const conclusion = (type: string, reason: string, message: string): Conclusion => ({
  type,
  reason,
  message,
})
const REACHED = conclusion(
  'SuccessCriteriaMet',
  'CompletionsReached',
  'Reached expected number of succeeded pods',
)
export const BACKED_OFF = conclusion(
  'FailureTarget',
  'BackoffLimitExceeded',
  'Job has reached the specified backoff limit',
)
export const OVERDUE = conclusion(
  'FailureTarget',
  'DeadlineExceeded',
  'Job was active longer than specified deadline',
)
export const TOO_MANY_INDEXES = conclusion(
  'FailureTarget',
  'MaxFailedIndexesExceeded',
  'Job has exceeded the specified maximal number of failed indexes',
)
export const FAILED_INDEXES = conclusion('FailureTarget', 'FailedIndexes', 'Job has failed indexes')

type Gates = Engine['featureGates']

/** Complete has a reason only with JobSuccessPolicy. */
export const reached = ({ JobSuccessPolicy }: Gates): Conclusion =>
  JobSuccessPolicy ? REACHED : { type: REACHED.type }

/** Whether a condition announces the end before the last pods are deleted. Policies always do. */
export const isAnnounced = ({ reason }: Conclusion, gates: Gates): boolean =>
  waitsForPods(gates) || reason === 'SuccessPolicy' || reason === 'PodFailurePolicy'
export const waitsForPods = ({ JobPodReplacementPolicy, JobManagedBy }: Gates): boolean =>
  JobPodReplacementPolicy === true || JobManagedBy === true

export const conditionOf = ({ status }: Job, type: string): JobCondition | undefined =>
  status?.conditions?.find((candidate) => candidate.type === type && candidate.status === 'True')
export const isFinished = (job: Job): boolean =>
  conditionOf(job, 'Complete') !== undefined || conditionOf(job, 'Failed') !== undefined

/** Restarts in place count as failures. */
export function restartsPastLimit({ spec }: Job, pods: readonly Stored<Pod>[]): boolean {
  const { template, backoffLimit = 6 } = spec ?? {}
  if (template?.spec?.restartPolicy !== 'OnFailure') return false
  let restarts = 0
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue
    for (const { restartCount } of [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
    ])
      restarts += restartCount
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit
}

export function successPolicyMet({ spec }: Job, completed: IndexSet): Conclusion | undefined {
  for (const [i, { succeededIndexes, succeededCount }] of (
    spec?.successPolicy?.rules ?? []
  ).entries()) {
    const wanted = succeededIndexes === undefined ? undefined : IndexSet.parse(succeededIndexes)
    const reached = wanted === undefined ? completed.size : completed.countCommon(wanted)
    if (reached >= (succeededCount ?? wanted?.size ?? Number.POSITIVE_INFINITY)) {
      return conclusion('SuccessCriteriaMet', 'SuccessPolicy', `Matched rules at index ${i}`)
    }
  }
  return undefined
}

export function managedElsewhere({ spec }: Job): boolean {
  const { managedBy } = (spec ?? {}) as { managedBy?: string }
  return managedBy !== undefined && managedBy !== 'kubernetes.io/job-controller'
}
