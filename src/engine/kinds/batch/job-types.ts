/** Types of Jobs, with only the members that validation reads. */

import type { JsonObject, KubeObject, ObjectMeta } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { LabelSelectorObject } from '../../validation/label-selectors'
import type { PodTemplate } from '../core/pod-types'

export interface FailureRule {
  action?: string
  onExitCodes?: { containerName?: string; operator?: string; values?: number[] | null }
  onPodConditions?: { type?: string; status?: string }[] | null
}
export interface SuccessRule {
  succeededIndexes?: string
  succeededCount?: number
}
export interface JobSpec {
  parallelism?: number
  completions?: number
  activeDeadlineSeconds?: number
  backoffLimit?: number
  backoffLimitPerIndex?: number
  maxFailedIndexes?: number
  ttlSecondsAfterFinished?: number
  completionMode?: string
  suspend?: boolean
  manualSelector?: boolean
  managedBy?: string
  podReplacementPolicy?: string
  scheduling?: JsonObject
  podFailurePolicy?: { rules?: FailureRule[] | null }
  successPolicy?: { rules?: SuccessRule[] | null }
  selector?: LabelSelectorObject
  template?: PodTemplate
}
export interface JobCondition {
  type?: string
  status?: string
}
export interface Job extends KubeObject {
  spec?: JobSpec
  status?: {
    uncountedTerminatedPods?: { succeeded?: string[] | null; failed?: string[] | null }
    conditions?: JobCondition[] | null
    startTime?: string
    completionTime?: string
    completedIndexes?: string
    failedIndexes?: string
    active?: number
    succeeded?: number
    failed?: number
    ready?: number
    terminating?: number
  }
}
export interface CronJobSpec {
  schedule?: string
  timeZone?: string
  startingDeadlineSeconds?: number
  concurrencyPolicy?: string
  suspend?: boolean
  successfulJobsHistoryLimit?: number
  failedJobsHistoryLimit?: number
  jobTemplate?: { metadata?: ObjectMeta; spec?: JobSpec }
}
export interface CronJob extends KubeObject {
  spec?: CronJobSpec
}

export const holds = ({ status }: Job, type: string): boolean =>
  (status?.conditions ?? []).some(
    (condition) => condition.type === type && condition.status === 'True',
  )

export const wrongConditions = (why: string): FieldError => ({
  field: 'status.conditions',
  reason: 'FieldValueInvalid',
  detail: `Invalid value: ${why}`,
})
