/** Makes jobs when their schedules are due (public documentation, "CronJob"). */
import type { CronJob, CronJobStatus, Job } from 'kubernetes-types/batch/v1'
import type { ObjectReference } from 'kubernetes-types/core/v1'
import { timestamp } from '../environment'
import { ApiError } from '../http/status'
import { draftOf, equalJson } from '../object'
import { scheduleProblem } from '../registry/batch/schedule'
import { scheduleTimes, zonedTime } from '../registry/batch/schedule-times'
import { conditionOf, isFinished } from './job/conclusions'
import { alreadyExists, type Client, inTerminatingNamespace, isNotFound } from './runtime/client'
import type { Recorder } from './runtime/events'
import type { Informer } from './runtime/informer'
import type { Controller, Manager } from './runtime/manager'
import { keyOf, type Stored } from './runtime/stored'
import { controllerOf, controllerReference } from './shared/ownership'

const NAME = 'cronjob-controller'
const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp'
/** More than so many missed times are told of. */
const MANY = 100

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
    context.cronJobs.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    context.jobs.onChange(({ object }) => {
      const owner = controllerOf(object)
      if (owner?.kind === 'CronJob') queue.add(`${object.metadata.namespace}/${owner.name}`)
    })
  },
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
    this.own = [...context.jobs.list(cronJob.metadata.namespace)].filter((job) => controllerOf(job)?.uid === cronJob.metadata.uid)
  }

  /** @returns milliseconds until the schedule is due again */
  async run(): Promise<number | undefined> {
    this.noteActive()
    await this.cleanUp()
    const again = this.cronJob.metadata.deletionTimestamp ? undefined : await this.followSchedule()
    await this.writeStatus()
    return again
  }

  private event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.context.recorder.event(this.cronJob, type, reason, message)
  }

  /** Which of its jobs still run, and when one last did well. */
  private noteActive(): void {
    const known = this.status.active ?? []
    for (const job of this.own) {
      const listed = known.some(({ uid }) => uid === job.metadata.uid)
      if (!isFinished(job)) {
        if (!listed) this.event('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${job.metadata.name}`)
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
      if (ended && ended > (this.status.lastSuccessfulTime ?? '')) this.status.lastSuccessfulTime = ended
    }
    for (const { uid, name } of known) {
      if (this.own.some((job) => job.metadata.uid === uid)) continue
      this.drop(uid)
      this.event('Normal', 'MissingJob', `Active job went missing: ${name}`)
    }
  }

  private drop(uid: string | undefined): void {
    this.status.active = (this.status.active ?? []).filter((reference) => reference.uid !== uid)
  }

  /** Old jobs beyond the limits of the history go. */
  private async cleanUp(): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.cronJob.spec ?? {}
    for (const [type, limit] of [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const) {
      if (limit === undefined) continue
      const ended = this.own
        .filter((job) => conditionOf(job, type))
        .sort((a, b) => ((a.status?.startTime ?? '') < (b.status?.startTime ?? '') ? -1 : 1))
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) await this.remove(job)
    }
  }

  private async remove(job: Stored<Job>): Promise<void> {
    await this.context.client.delete(job, { propagationPolicy: 'Background' })
    this.drop(job.metadata.uid)
    this.event('Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`)
  }

  private async followSchedule(): Promise<number | undefined> {
    const { spec, metadata } = this.cronJob
    const { schedule = '', timeZone, suspend, startingDeadlineSeconds, concurrencyPolicy } = spec ?? {}
    if (suspend) return undefined
    const problem = scheduleProblem(schedule)
    if (problem !== undefined) {
      this.event('Warning', 'UnparseableSchedule', `unparseable schedule: ${schedule} : ${problem}`)
      return undefined
    }
    const times = scheduleTimes(schedule, timeZone)
    const next = times.after(this.now)
    if (next === undefined) {
      // Days that no month has (31 February): told in the words of the real controller, to which both next times are zero.
      this.event(
        'Warning',
        'InvalidSchedule',
        `invalid schedule: ${schedule} : time difference between two schedules is less than 1 second`,
      )
      return undefined
    }
    const again = next - this.now
    const due = this.lastDue(times, Date.parse(this.status.lastScheduleTime ?? metadata.creationTimestamp ?? ''), startingDeadlineSeconds)
    if (due === undefined) return again
    if (startingDeadlineSeconds !== undefined && due + startingDeadlineSeconds * 1000 < this.now) {
      this.event('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${new Date(due).toUTCString().replace('GMT', '+0000')}`)
      return again
    }
    const active = this.status.active ?? []
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      this.event('Normal', 'JobAlreadyActive', 'Not starting job because prior execution is running and concurrency policy is Forbid')
      return again
    }
    if (concurrencyPolicy === 'Replace') {
      for (const job of this.own) if (active.some(({ uid }) => uid === job.metadata.uid)) await this.remove(job)
    }
    await this.begin(due)
    return again
  }

  /** The last time that the schedule was due and nothing was made for. */
  private lastDue(times: ReturnType<typeof scheduleTimes>, since: number, deadline: number | undefined): number | undefined {
    const earliest = deadline === undefined ? since : Math.max(since, this.now - deadline * 1000)
    let last: number | undefined
    let missed = 0
    for (let at = times.after(earliest); at !== undefined && at <= this.now; at = times.after(at)) {
      last = at
      missed++
    }
    if (missed > MANY) {
      const advice = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'
      this.event('Warning', 'TooManyMissedTimes', advice)
    }
    return last
  }

  private async begin(due: number): Promise<void> {
    const { client } = this.context
    const { metadata, spec } = this.cronJob
    const { labels, annotations } = spec?.jobTemplate.metadata ?? {}
    const name = `${metadata.name}-${Math.floor(due / 60_000)}`
    const given = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        namespace: metadata.namespace ?? '',
        ...(labels && { labels }),
        annotations: { ...annotations, [SCHEDULED_AT]: zonedTime(due, spec?.timeZone) },
        creationTimestamp: null,
        ownerReferences: [controllerReference(this.cronJob)],
      },
      spec: spec?.jobTemplate.spec,
    }
    try {
      const job = await client.create<Job>(given)
      this.event('Normal', 'SuccessfulCreate', `Created job ${name}`)
      this.status.active = [...(this.status.active ?? []), jobReference(job)]
    } catch (error) {
      if (inTerminatingNamespace(error)) return
      if (!alreadyExists(error)) {
        if (error instanceof ApiError) this.event('Warning', 'FailedCreate', `Error creating job: ${error.message}`)
        throw error
      }
    }
    this.status.lastScheduleTime = timestamp(due)
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
