import type { CronJob, Job, JobSpec } from 'kubernetes-types/batch/v1'
import { humanDuration } from '../../engine/encoding/duration'
import { selectorCell } from '../../engine/encoding/tables/workloads'
import { describes } from './description'
import { annotations, controllerOf, head, labels } from './metadata'
import { podTemplate } from './pod-parts'
import { longTime, NONE, orUnset, titleBoolean, UNSET } from './words'

const LONGEST_INDEXES = 50

export const job = describes<Job>({
  write: (report, { metadata, spec, status }) => {
    report.field(0, 'Name', metadata?.name)
    report.field(0, 'Namespace', metadata?.namespace)
    if (spec?.selector) report.field(0, 'Selector', selectorCell(spec.selector))
    labels(report, 0, metadata?.labels)
    annotations(report, 0, metadata?.annotations)
    report.optional(0, 'Controlled By', controllerOf(metadata))
    report.optional(0, 'Parallelism', spec?.parallelism)
    report.field(0, 'Completions', orUnset(spec?.completions))
    report.optional(0, 'Completion Mode', spec?.completionMode)
    report.optional(0, 'Suspend', spec?.suspend)
    report.optional(0, 'Backoff Limit', spec?.backoffLimit)
    report.optional(0, 'TTL Seconds After Finished', spec?.ttlSecondsAfterFinished)
    if (status?.startTime) report.field(0, 'Start Time', longTime(status.startTime))
    if (status?.completionTime) report.field(0, 'Completed At', longTime(status.completionTime))
    if (status?.startTime && status.completionTime) {
      report.field(
        0,
        'Duration',
        humanDuration(Date.parse(status.completionTime) - Date.parse(status.startTime)),
      )
    }
    if (spec?.activeDeadlineSeconds !== undefined)
      report.field(0, 'Active Deadline Seconds', `${spec.activeDeadlineSeconds}s`)
    const { active = 0, ready, succeeded = 0, failed = 0 } = status ?? {}
    const readiness = ready === undefined ? '' : ` (${ready} Ready)`
    report.field(
      0,
      'Pods Statuses',
      `${active} Active${readiness} / ${succeeded} Succeeded / ${failed} Failed`,
    )
    if (spec?.completionMode === 'Indexed')
      report.field(0, 'Completed Indexes', indexes(status?.completedIndexes))
    podTemplate(report, spec?.template)
  },
})

function indexes(text = ''): string {
  if (text === '') return NONE
  if (text.length <= LONGEST_INDEXES) return text
  return `${text.slice(0, text.lastIndexOf(',', LONGEST_INDEXES - 1) + 1)}...`
}

export const cronJob = describes<CronJob>({
  write: (report, { metadata, spec, status }) => {
    head(report, metadata)
    report.field(0, 'Schedule', spec?.schedule)
    report.field(0, 'Concurrency Policy', spec?.concurrencyPolicy)
    report.field(0, 'Suspend', spec?.suspend === undefined ? UNSET : titleBoolean(spec.suspend))
    report.field(0, 'Successful Job History Limit', orUnset(spec?.successfulJobsHistoryLimit))
    report.field(0, 'Failed Job History Limit', orUnset(spec?.failedJobsHistoryLimit))
    const deadline = spec?.startingDeadlineSeconds
    report.field(0, 'Starting Deadline Seconds', deadline === undefined ? UNSET : `${deadline}s`)
    const template: JobSpec | undefined = spec?.jobTemplate.spec
    report.field(0, 'Selector', template?.selector ? selectorCell(template.selector) : UNSET)
    report.field(0, 'Parallelism', orUnset(template?.parallelism))
    report.field(0, 'Completions', orUnset(template?.completions))
    if (template?.activeDeadlineSeconds !== undefined)
      report.field(0, 'Active Deadline Seconds', `${template.activeDeadlineSeconds}s`)
    podTemplate(report, template?.template)
    report.field(
      0,
      'Last Schedule Time',
      status?.lastScheduleTime ? longTime(status.lastScheduleTime) : UNSET,
    )
    report.field(
      0,
      'Active Jobs',
      (status?.active ?? []).map(({ name }) => name).join(', ') || NONE,
    )
  },
})
