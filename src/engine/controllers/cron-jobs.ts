/**
 * Recorded from kube-controller-manager 1.31.
 * https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/
 */
import type { CronJob, CronJobStatus, Job } from 'kubernetes-types/batch/v1'
import type { ObjectReference } from 'kubernetes-types/core/v1'
import { timestamp } from '../core/environment'
import { draftOf, equalJson, type KubeObject } from '../core/object'
import { ApiError } from '../http/status'
import { scheduleProblem } from '../kinds/batch/schedule'
import { scheduleTimes, type Times, zonedTime } from '../kinds/batch/schedule-times'
import { missedSince } from './cron-times'
import { conditionOf, isFinished } from './job/conclusions'
import { alreadyExists, type Client, inTerminatingNamespace, isNotFound } from './runtime/client'
import type { Recorder } from './runtime/events'
import type { Informer } from './runtime/informer'
import type { Controller, Manager } from './runtime/manager'
import { keyOf, type Stored } from './runtime/stored'
import { controllerOf, controllerReference, isControlledBy } from './shared/ownership'

const NAME = 'cronjob-controller'
const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

export const cronJobs: Controller = {
  name: NAME,
  run(manager) {
    const client = manager.client(NAME)
    const context: Context = {
      manager,
      client,
      recorder: manager.recorder(client, NAME),
      cronJobs: manager.informer<CronJob>('batch', 'cronjobs'),
      jobs: manager.informer<Job>('batch', 'jobs'),
    }
    const queue = manager.queue(NAME, async (key) => {
      const cronJob = context.cronJobs.get(key)
      const again = cronJob && (await new CronRun(context, cronJob).run())
      if (again !== undefined) queue.addAfter(key, again)
    })
    context.cronJobs.onChange(({ type, key, object, previous }) => {
      if (type === 'DELETED') return
      // A changed schedule does not run missed times at once.
      const again =
        previous && isOtherSchedule(object, previous) ? new CronRun(context, object).untilDue() : 0
      if (again !== undefined) queue.addAfter(key, again)
    })
    context.jobs.onChange(({ object }) => {
      const owner = controllerOf(object)
      if (owner?.kind === 'CronJob') queue.add(`${object.metadata.namespace}/${owner.name}`)
    })
  },
}

function isOtherSchedule({ spec }: Stored<CronJob>, { spec: before }: Stored<CronJob>): boolean {
  return spec?.schedule !== before?.schedule || spec?.timeZone !== before?.timeZone
}

interface Context {
  manager: Manager
  client: Client
  recorder: Recorder
  cronJobs: Informer<CronJob>
  jobs: Informer<Job>
}

class CronRun {
  private readonly now: number
  private status: CronJobStatus
  private readonly own: Stored<Job>[]

  constructor(
    private readonly context: Context,
    private readonly cronJob: Stored<CronJob>,
  ) {
    this.now = context.manager.now()
    this.status = { ...cronJob.status }
    this.own = [...context.jobs.list(cronJob.metadata.namespace)].filter(
      (job) => controllerOf(job)?.uid === cronJob.metadata.uid,
    )
  }

  /** @returns milliseconds until the next run */
  async run(): Promise<number | undefined> {
    // First, so that removed jobs get no event.
    await this.cleanUp()
    this.noteActive()
    // Runs even after a failure, to update the status.
    const next = this.cronJob.metadata.deletionTimestamp
      ? {}
      : await this.followSchedule().catch((error: unknown) => ({ error }))
    await this.writeStatus()
    if ('error' in next) throw next.error
    return next.again
  }

  /** @returns milliseconds; 0 if never due, undefined if the schedule is invalid */
  untilDue(): number | undefined {
    const { schedule = '', timeZone } = this.cronJob.spec ?? {}
    return scheduleProblem(schedule) === undefined
      ? (this.next(scheduleTimes(schedule, timeZone)).again ?? 0)
      : undefined
  }

  private event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.context.recorder.event(this.cronJob, type, reason, message)
  }

  private noteActive(): void {
    const known = this.status.active ?? []
    for (const job of this.own) {
      const listed = known.some(({ uid }) => uid === job.metadata.uid)
      if (!isFinished(job)) {
        if (!listed)
          this.event(
            'Warning',
            'UnexpectedJob',
            `Saw a job that the controller did not create or forgot: ${job.metadata.name}`,
          )
        continue
      }
      if (listed) {
        this.drop(job.metadata.uid)
        this.event(
          'Normal',
          'SawCompletedJob',
          `Saw completed job: ${job.metadata.name}, condition: ${conditionOf(job, 'Complete') ? 'Complete' : 'Failed'}`,
        )
      }
      const ended = conditionOf(job, 'Complete') ? job.status?.completionTime : undefined
      if (ended && ended > (this.status.lastSuccessfulTime ?? ''))
        this.status.lastSuccessfulTime = ended
    }
    for (const { uid, name } of known) {
      // An orphaned job is not reported as missing.
      if (this.context.jobs.get(`${this.cronJob.metadata.namespace}/${name}`) !== undefined)
        continue
      this.drop(uid)
      this.event('Normal', 'MissingJob', `Active job went missing: ${name}`)
    }
  }

  private drop(uid: string | undefined): void {
    this.status.active = (this.status.active ?? []).filter((reference) => reference.uid !== uid)
  }

  private async cleanUp(): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.cronJob.spec ?? {}
    for (const [type, limit] of [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const) {
      if (limit === undefined) continue
      const ended = this.own.filter((job) => conditionOf(job, type)).sort(byStart)
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) await this.remove(job)
    }
  }

  private async remove(job: Stored<Job>): Promise<ApiError | undefined> {
    try {
      await this.context.client.delete(job, { propagationPolicy: 'Background' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.event('Warning', 'FailedDelete', `Deleted job: ${error.message}`)
      return error
    }
    this.drop(job.metadata.uid)
    this.event('Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`)
    return undefined
  }

  private async followSchedule(): Promise<{ again?: number | undefined }> {
    const {
      schedule = '',
      timeZone,
      suspend,
      startingDeadlineSeconds,
      concurrencyPolicy,
    } = this.cronJob.spec ?? {}
    if (suspend) return {}
    const problem = scheduleProblem(schedule)
    if (problem !== undefined) {
      this.event(
        'Warning',
        'UnparseableSchedule',
        `unparseable schedule: ${JSON.stringify(schedule)} : ${problem}`,
      )
      return {}
    }
    const times = scheduleTimes(schedule, timeZone)
    const earliest =
      startingDeadlineSeconds === undefined
        ? this.since
        : Math.max(this.since, this.now - startingDeadlineSeconds * 1000)
    const missed = missedSince(times, earliest, this.now)
    if (missed === undefined) {
      const never = 'time difference between two schedules is less than 1 second'
      this.event('Warning', 'InvalidSchedule', `invalid schedule: ${schedule} : ${never}`)
      return {}
    }
    const due = missed.last
    if (due === undefined) return this.next(times)
    if (missed.count === 'many') {
      const advice =
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'
      this.event('Warning', 'TooManyMissedTimes', advice)
    }
    if (startingDeadlineSeconds !== undefined && due + startingDeadlineSeconds * 1000 < this.now) {
      this.event(
        'Warning',
        'MissSchedule',
        `Missed scheduled time to start a job: ${new Date(due).toUTCString().replace('GMT', '+0000')}`,
      )
      return this.next(times)
    }
    const active = this.status.active ?? []
    if (
      active.some(({ name }) => name === this.jobName(due)) ||
      this.status.lastScheduleTime === timestamp(due)
    )
      return this.next(times)
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      this.event(
        'Normal',
        'JobAlreadyActive',
        'Not starting job because prior execution is running and concurrency policy is Forbid',
      )
      return this.next(times)
    }
    if (concurrencyPolicy === 'Replace') {
      for (const job of this.own) {
        const failure = active.some(({ uid }) => uid === job.metadata.uid)
          ? await this.remove(job)
          : undefined
        if (failure) throw failure
      }
    }
    await this.begin(due)
    return this.next(times)
  }

  /** Later scheduled times count as missed. */
  private get since(): number {
    return Date.parse(this.status.lastScheduleTime ?? this.cronJob.metadata.creationTimestamp ?? '')
  }

  /** Counts the delay from the last scheduled time. */
  private next(times: Times): { again?: number | undefined } {
    const missed = missedSince(times, this.since, this.now)
    const next = times.after(missed?.last ?? (missed?.count === 'none' ? this.since : this.now))
    return { again: next === undefined ? undefined : next - this.now }
  }

  private jobName(due: number): string {
    return `${this.cronJob.metadata.name}-${Math.floor(due / 60_000)}`
  }

  private async begin(due: number): Promise<void> {
    const { metadata, spec } = this.cronJob
    const { labels, annotations } = spec?.jobTemplate.metadata ?? {}
    const { CronJobsScheduledAnnotation } = this.context.manager.engine.featureGates
    const name = this.jobName(due)
    const given = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        namespace: metadata.namespace ?? '',
        ...(labels && { labels }),
        annotations: {
          ...annotations,
          ...(CronJobsScheduledAnnotation && { [SCHEDULED_AT]: zonedTime(due, spec?.timeZone) }),
        },
        creationTimestamp: null,
        ownerReferences: [controllerReference(this.cronJob)],
      },
      spec: spec?.jobTemplate.spec,
    }
    const job = await this.make(given)
    if (job === undefined) return
    this.status.active = [...(this.status.active ?? []), jobReference(job)]
    this.status.lastScheduleTime = timestamp(due)
  }

  /** @returns the new or an unlisted own job; undefined leaves the status unchanged */
  private async make(
    given: Pick<KubeObject, 'kind' | 'apiVersion' | 'metadata'>,
  ): Promise<Stored<Job> | undefined> {
    const { client } = this.context
    try {
      const job = await client.create<Job>(given)
      this.event('Normal', 'SuccessfulCreate', `Created job ${given.metadata.name}`)
      return job
    } catch (error) {
      if (inTerminatingNamespace(error)) return undefined
      if (!alreadyExists(error)) {
        if (error instanceof ApiError)
          this.event('Warning', 'FailedCreate', `Error creating job: ${error.message}`)
        throw error
      }
    }
    const job = await client.get<Job>(given)
    const isNoted = this.status.active?.some(({ uid }) => uid === job.metadata.uid)
    return isControlledBy(job, this.cronJob) && !isNoted ? job : undefined
  }

  private async writeStatus(): Promise<void> {
    const { active, ...rest } = this.status
    const status: CronJobStatus = { ...(active?.length && { active }), ...rest }
    const cronJob = this.context.cronJobs.get(keyOf(this.cronJob))
    if (cronJob === undefined || equalJson(status, cronJob.status ?? {})) return
    try {
      await this.context.client.update({ ...draftOf(cronJob), status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

function jobReference({ metadata }: Stored<Job>): ObjectReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata
  return { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion }
}

function byStart(a: Stored<Job>, b: Stored<Job>): number {
  const [left, right] = [a, b].map(({ status }) => status?.startTime ?? '~') as [string, string]
  if (left !== right) return left < right ? -1 : 1
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
