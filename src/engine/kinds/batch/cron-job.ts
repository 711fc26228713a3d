/** Rules of CronJobs. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { isTimeZone } from '../../schema/time-zone'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidSelector } from '../../validation/label-selectors'
import { tooLongText } from '../../validation/names'
import { notNegative } from '../../validation/numbers'
import { defaultTemplate } from '../core/pod-defaults'
import { type PodValidationOptions, podValidationOptions } from '../core/pod-validation/options'
import { workloadNameWarnings } from '../core/pod-warnings'
import { defaultFailurePolicy, dropGatedJobMembers } from './job'
import type { CronJob, CronJobSpec, JobSpec } from './job-types'
import { jobSpecErrors, jobSpecWarnings } from './job-validation'
import { scheduleProblem } from './schedule'

const POLICIES = ['Allow', 'Forbid', 'Replace']
/** Jobs' names have eleven more characters, and are label values. */
const MAX_NAME = 52
const JOB = 'spec.jobTemplate.spec'

export const cronJobStrategy: Strategy = {
  behindGates: (_gates, changes) =>
    changes.has('ConditionStatusDefaulted') ? { defaults: defaultWithConditions } : {},
  generationFields: ['spec'],
  serverOwned: ['status'],
  validatesAllOnUpdate: false,
  defaults: (object) => void defaultJob(object),
  prepareForCreate(object, { engine }) {
    object.status = {}
    dropGatedJobMembers(engine, (object as CronJob).spec?.jobTemplate?.spec)
  },
  prepareForUpdate(object, old, { engine }) {
    dropGatedJobMembers(
      engine,
      (object as CronJob).spec?.jobTemplate?.spec,
      (old as CronJob).spec?.jobTemplate?.spec,
    )
  },
  validate: (object, { engine }) =>
    specErrors((object as CronJob).spec ?? {}, undefined, podValidationOptions(engine)),
  validateNew({ metadata: { name = '' } }) {
    return name.length > MAX_NAME
      ? [invalidValue('metadata.name', name, tooLongText(MAX_NAME))]
      : []
  },
  validateUpdate(object, old, { engine }) {
    const before = (old as CronJob).spec ?? {}
    const options = podValidationOptions(engine, before.jobTemplate?.spec?.template)
    return specErrors((object as CronJob).spec ?? {}, before, options)
  },
  warningsOnCreate: (object, { engine }) => [
    ...workloadNameWarnings(object.metadata.name),
    ...jobSpecWarnings((object as CronJob).spec?.jobTemplate?.spec, JOB, engine.tables.changes),
    ...zoneWarnings(object as CronJob),
  ],
  warningsOnUpdate(object, old, { engine }) {
    const { spec } = (object as CronJob).spec?.jobTemplate ?? {}
    const own =
      object.metadata.generation === old.metadata.generation
        ? []
        : jobSpecWarnings(spec, JOB, engine.tables.changes)
    return [...own, ...zoneWarnings(object as CronJob)]
  },
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
  },
}

function defaultJob(object: KubeObject): JobSpec {
  const cronJob = object as CronJob
  cronJob.spec ??= {}
  const { spec } = cronJob
  spec.concurrencyPolicy ||= 'Allow'
  spec.suspend ??= false
  spec.successfulJobsHistoryLimit ??= 3
  spec.failedJobsHistoryLimit ??= 1
  if (!isJsonObject(spec.jobTemplate as unknown as JsonObject)) spec.jobTemplate = {}
  const job = (spec.jobTemplate ??= {})
  job.spec ??= {}
  job.spec.template ??= {}
  defaultTemplate(job.spec.template)
  return job.spec
}

const defaultWithConditions = (object: KubeObject): void => defaultFailurePolicy(defaultJob(object))

/** @param old unchanged members are not validated */
function specErrors(
  spec: CronJobSpec,
  old: CronJobSpec | undefined,
  options: PodValidationOptions,
): FieldError[] {
  const { concurrencyPolicy: policy = '', jobTemplate } = spec
  const job = jobTemplate?.spec ?? {}
  const errors = [
    ...scheduleErrors(spec, old),
    ...notNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
  ]
  if (spec.timeZone !== old?.timeZone) append(errors, timeZoneErrors(spec.timeZone))
  if (policy === '') errors.push(required('spec.concurrencyPolicy'))
  else if (!POLICIES.includes(policy))
    errors.push(notSupported('spec.concurrencyPolicy', policy, POLICIES))
  append(errors, jobSpecErrors(job, JOB, options))
  if (job.selector)
    errors.push(
      invalidSelector(`${JOB}.selector`, job.selector, '`selector` will be auto-generated'),
    )
  if (job.manualSelector === true)
    errors.push(notSupported(`${JOB}.manualSelector`, true, ['nil', 'false']))
  return [
    ...errors,
    ...notNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...notNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
  ]
}

function scheduleErrors(
  { schedule = '', timeZone }: CronJobSpec,
  old: CronJobSpec | undefined,
): FieldError[] {
  const field = 'spec.schedule'
  if (schedule === '') return [required(field)]
  const problem = scheduleProblem(schedule)
  const errors = problem === undefined ? [] : [invalidValue(field, schedule, problem)]
  if (!schedule.includes('TZ')) return errors
  if (!old?.schedule?.includes('TZ'))
    errors.push(
      invalidValue(
        field,
        schedule,
        'cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ),
    )
  else if (timeZone !== undefined)
    errors.push(
      invalidValue(field, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'),
    )
  return errors
}

function timeZoneErrors(zone: string | undefined): FieldError[] {
  const wrong = (why: string) => [invalidValue('spec.timeZone', zone, why)]
  if (zone === undefined) return []
  if (zone === '') return wrong('timeZone must be nil or non-empty string')
  const unknown = isTimeZone(zone) ? [] : wrong(`unknown time zone ${zone}`)
  if (zone.toLowerCase() !== 'local') return unknown
  return [
    ...wrong(
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    ),
    ...unknown,
  ]
}

const ABOUT_CRON_JOBS = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/'

function zoneWarnings({ spec }: CronJob): string[] {
  if (!spec?.schedule?.includes('TZ')) return []
  return [
    `CRON_TZ or TZ used in spec.schedule is not officially supported, see ${ABOUT_CRON_JOBS} for more details`,
  ]
}
