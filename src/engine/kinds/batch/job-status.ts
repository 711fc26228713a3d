/** Recorded from kube-apiserver 1.31; rules behind feature gates compared with it. */

import { append } from '../../core/lists'
import type { FieldError } from '../../http/status'
import type { StrategyEngine } from '../../registry/strategy'
import { duplicate, invalidValue } from '../../validation/field-errors'
import { notNegative } from '../../validation/numbers'
import { externalStateErrors, externalStepErrors } from './job-external-status'
import { holds, type Job, wrongConditions } from './job-types'

/** @param gates more rules apply with `JobManagedBy` */
export function jobStatusErrors(
  job: Job,
  old: Job,
  { JobManagedBy, JobPodReplacementPolicy }: StrategyEngine['featureGates'],
): FieldError[] {
  const external = JobManagedBy === true
  const [met, metBefore] = [holds(job, 'SuccessCriteriaMet'), holds(old, 'SuccessCriteriaMet')]
  // Only success policies have criteria, unless jobs wait for their last pods.
  const needsPolicy = met && !external && !JobPodReplacementPolicy && !metBefore
  const errors = (['active', 'succeeded', 'failed', 'ready', 'terminating'] as const).flatMap(
    (name) => notNegative(`status.${name}`, job.status?.[name]),
  )
  append(errors, uncountedErrors(job))
  if (external) append(errors, externalStateErrors(job, old))
  if (needsPolicy && job.spec?.completionMode !== 'Indexed')
    errors.push(wrongConditions('cannot set SuccessCriteriaMet to NonIndexed Job'))
  for (const type of ['Failed', 'FailureTarget'])
    if (met && holds(job, type))
      errors.push(wrongConditions(`cannot set SuccessCriteriaMet=True and ${type}=true conditions`))
  if (needsPolicy && !job.spec?.successPolicy)
    errors.push(wrongConditions('cannot set SuccessCriteriaMet=True for Job without SuccessPolicy'))
  if (job.spec?.successPolicy && !met && holds(job, 'Complete'))
    errors.push(
      wrongConditions(
        'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
      ),
    )
  if (external) append(errors, externalStepErrors(job, old))
  if (metBefore && !met)
    errors.push(wrongConditions('cannot disable the SuccessCriteriaMet=True condition'))
  if (holds(old, 'Complete') && !metBefore && met)
    errors.push(
      wrongConditions(
        'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
      ),
    )
  return errors
}

function uncountedErrors({ status }: Job): FieldError[] {
  const seen = new Set<string>()
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    (status?.uncountedTerminatedPods?.[list] ?? []).flatMap((uid, i) => {
      const field = `status.uncountedTerminatedPods.${list}[${i}]`
      if (uid === '') return [invalidValue(field, uid, 'must not be empty')]
      if (seen.has(uid)) return [duplicate(field, uid)]
      seen.add(uid)
      return []
    }),
  )
}
