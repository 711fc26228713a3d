/**
 * Creates the Pods of a Job, and decides when it ends. Recorded from kube-controller-manager 1.31.
 */

import type { Job, JobCondition } from 'kubernetes-types/batch/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { smallest } from '../../core/lists'
import { draftOf, equalJson } from '../../core/object'
import type { Engine } from '../../registry/engine'
import { type Client, isNotFound } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { claimed } from '../shared/ownership'
import { each, makePod, removePod, slowStartBatch } from '../shared/pod-control'
import { isActive, isReady } from '../shared/pods'
import { requirementsOf } from '../shared/selectors'
import {
  BACKED_OFF,
  type Conclusion,
  conclusion,
  conditionOf,
  FAILED_INDEXES,
  isAnnounced,
  isFinished,
  managedElsewhere,
  OVERDUE,
  reached,
  restartsPastLimit,
  successPolicyMet,
  TOO_MANY_INDEXES,
  waitsForPods,
} from './conclusions'
import { concerns, countedPods, uncountedPods } from './counting'
import { type Backoff, hasFailed, replacesEndedOnly, verdictOn } from './failures'
import { failureMarks, hasLimitPerIndex, lastFailures, waitBefore } from './index-failures'
import { IndexSet, indexOf, isIndexed } from './indexes'
import { BURST, pendingIndexes, surplusPods } from './pod-choice'
import { isTracked, jobPod, TRACKING } from './pods'
import { type Counts, statusOf, withCondition } from './status'

export interface Context {
  manager: Manager
  client: Client
  recorder: Recorder
  jobs: Informer<Job>
  pods: Informer<Pod>
  backoff: Backoff
}

const nothing = (): undefined => undefined

export class JobSync {
  private readonly now: number
  private conditions: JobCondition[]
  private startTime: string | undefined
  private pods: Stored<Pod>[] = []
  private active = 0
  private ready = 0
  private terminating = 0
  private succeeded = 0
  private failed = 0
  private completed = new IndexSet()
  private failedIndexes = new IndexSet()
  /**
   * The last failed pod of an index stays uncounted until replaced: its annotations hold the
   * failure count.
   */
  private lastFailures = new Map<number, Stored<Pod>>()
  private later: number | undefined

  constructor(
    private readonly context: Context,
    private readonly job: Stored<Job>,
  ) {
    this.now = context.manager.now()
    this.conditions = job.status?.conditions ?? []
    this.startTime = job.status?.startTime
  }

  private get gates(): Engine['featureGates'] {
    return this.context.manager.engine.featureGates
  }

  private get key(): string {
    return keyOf(this.job)
  }

  /** @returns milliseconds until the next sync; undefined: on changes only */
  async run(): Promise<number | undefined> {
    const { client, pods, backoff } = this.context
    const { spec } = this.job
    const selector = requirementsOf(spec?.selector)
    if (
      selector === undefined ||
      selector.length === 0 ||
      isFinished(this.job) ||
      managedElsewhere(this.job)
    )
      return undefined
    const withAdoption = ({ metadata }: { metadata: { finalizers?: string[] } }) => ({
      finalizers: [...(metadata.finalizers ?? []), TRACKING],
    })
    this.pods = await claimed<Pod>({ client, owner: this.job, selector, withAdoption }, [
      ...pods.list(this.job.metadata.namespace),
    ])
    const uncounted = uncountedPods(this.job)
    const ended = this.pods.filter(
      (pod) => isTracked(pod) && !uncounted.has(pod.metadata.uid ?? ''),
    )
    const newlySucceeded = ended.filter(
      (pod) => pod.status?.phase === 'Succeeded' && concerns(this.job, pod),
    )
    const newlyFailed = ended.filter((pod) => hasFailed(this.job, pod) && concerns(this.job, pod))
    backoff.note(this.key, newlySucceeded, newlyFailed)
    Object.assign(this, countedPods(this.job, this.pods, newlySucceeded, newlyFailed))
    if (this.startTime === undefined && !spec?.suspend) this.startTime = timestamp(this.now)
    let done = this.alreadyConcluded() ?? this.concluded(newlyFailed)
    const alive = this.pods.filter(isActive)
    if (hasLimitPerIndex(this.job)) {
      const running = new Set(alive.map((pod) => indexOf(this.job, pod)))
      const isSettled = (index: number) => running.has(index) || this.isSettled(index)
      this.lastFailures = lastFailures(this.job, this.pods, isSettled)
    }
    let failure: { error: unknown } | undefined
    if (done !== undefined) await this.removeActive(alive)
    else {
      const managed = !this.job.metadata.deletionTimestamp
      // Runs even after a failure, to count pods.
      if (managed) failure = await this.manage(alive).then(nothing, (error: unknown) => ({ error }))
      if (this.isComplete()) done = reached(this.gates)
      else if (managed) this.noteSuspension()
    }
    await this.track(done)
    if (failure !== undefined) throw failure.error
    return this.later
  }

  /** An earlier sync concluded, and waits for the last pods. */
  private alreadyConcluded(): Conclusion | undefined {
    const found =
      conditionOf(this.job, 'SuccessCriteriaMet') ?? conditionOf(this.job, 'FailureTarget')
    return found && conclusion(found.type, found.reason ?? '', found.message ?? '')
  }

  private concluded(newlyFailed: Stored<Pod>[]): Conclusion | undefined {
    const { spec } = this.job
    for (const pod of newlyFailed) {
      const { action, message } = verdictOn(this.job, pod)
      if (action === 'FailJob') return conclusion('FailureTarget', 'PodFailurePolicy', message)
    }
    if (this.failed > (spec?.backoffLimit ?? 6) || restartsPastLimit(this.job, this.pods))
      return BACKED_OFF
    const deadline = this.deadline()
    if (deadline !== undefined && deadline <= this.now) return OVERDUE
    if (deadline !== undefined) this.again(deadline - this.now)
    if (!isIndexed(this.job)) return undefined
    const { completions = 0, maxFailedIndexes, backoffLimitPerIndex } = spec ?? {}
    if (backoffLimitPerIndex !== undefined) {
      if (maxFailedIndexes !== undefined && this.failedIndexes.size > maxFailedIndexes)
        return TOO_MANY_INDEXES
      if (
        this.failedIndexes.size > 0 &&
        this.failedIndexes.size + this.completed.size >= completions
      )
        return FAILED_INDEXES
    }
    return successPolicyMet(this.job, this.completed)
  }

  private deadline(): number | undefined {
    const { activeDeadlineSeconds, suspend } = this.job.spec ?? {}
    if (activeDeadlineSeconds === undefined || suspend || this.startTime === undefined)
      return undefined
    return Date.parse(this.startTime) + activeDeadlineSeconds * 1000
  }

  private isComplete(): boolean {
    const { completions } = this.job.spec ?? {}
    return completions === undefined
      ? this.succeeded > 0 && this.active === 0
      : this.succeeded >= completions && this.active === 0
  }

  private again(milliseconds: number): void {
    this.later = Math.min(this.later ?? Number.POSITIVE_INFINITY, milliseconds)
  }

  /** Keeps finalizers: the pods must be counted. */
  private removeActive(alive: Stored<Pod>[]): Promise<void> {
    return each(alive, async (pod) => {
      await removePod(this.context, this.job, pod)
      this.noteRemoval(pod)
    })
  }

  private noteRemoval(pod: Stored<Pod>): void {
    this.active--
    if (isReady(pod)) this.ready--
    this.terminating++
  }

  private async manage(alive: Stored<Pod>[]): Promise<void> {
    const { spec } = this.job
    const wanted = spec?.suspend ? 0 : this.wanted()
    const surplus = surplusPods(this.job, alive, wanted, (index) => this.isSettled(index))
    if (surplus.length > 0) return this.remove(surplus)
    if (spec?.suspend) return
    const missing = wanted - (replacesEndedOnly(this.job) ? this.terminating : 0) - this.active
    if (missing > 0) await this.create(Math.min(missing, BURST))
  }

  private wanted(): number {
    const { completions, parallelism = 1 } = this.job.spec ?? {}
    // Without completions one success stops new pods.
    if (completions === undefined) return this.succeeded > 0 ? this.active : parallelism
    return Math.max(
      0,
      Math.min(parallelism, completions - this.succeeded - this.failedIndexes.size),
    )
  }

  private isSettled(index: number): boolean {
    return this.completed.has(index) || this.failedIndexes.has(index)
  }

  private remove(pods: Stored<Pod>[]): Promise<void> {
    return each(pods, async (pod) => {
      // Pods that the Job deletes are not failures.
      await this.untrack(pod)
      await removePod(this.context, this.job, pod)
      this.noteRemoval(pod)
    })
  }

  private async create(count: number): Promise<void> {
    const { backoff } = this.context
    const perIndex = hasLimitPerIndex(this.job)
    const pending = isIndexed(this.job)
      ? pendingIndexes(this.job, count, {
          pods: this.pods,
          completed: this.completed,
          failed: this.failedIndexes,
        })
      : Array.from({ length: count }, () => undefined)
    const waitOf = (index: number | undefined) =>
      waitBefore(this.lastFailures.get(index ?? -1), this.now)
    const waits = perIndex
      ? pending.map(waitOf).filter((time) => time > 0)
      : [backoff.remaining(this.key, this.now)]
    const wait = smallest(waits)
    if (waits.length > 0 && wait > 0) this.again(wait)
    const ready = perIndex
      ? pending.filter((index) => waitOf(index) === 0)
      : wait > 0
        ? []
        : pending
    if (ready.length === 0 && pending.length > 0) this.active = 0
    await slowStartBatch(ready, async (index) => {
      const marks =
        perIndex && index !== undefined
          ? failureMarks(this.job, this.lastFailures.get(index))
          : undefined
      const pod = await makePod(
        this.context,
        this.job,
        jobPod(this.job, index, this.gates.PodIndexLabel === true, marks),
      )
      if (pod === undefined) return
      if (index !== undefined) this.lastFailures.delete(index)
      this.active++
    })
  }

  private noteSuspension(): void {
    const suspended = Boolean(this.job.spec?.suspend)
    const present = this.conditions.find(({ type }) => type === 'Suspended')
    if (suspended ? present?.status === 'True' : present?.status !== 'True') return
    const [reason, message] = suspended
      ? ['JobSuspended', 'Job suspended']
      : ['JobResumed', 'Job resumed']
    this.setCondition({ type: 'Suspended', reason, message }, suspended ? 'True' : 'False')
    this.context.recorder.event(this.job, 'Normal', suspended ? 'Suspended' : 'Resumed', message)
    if (!suspended) this.startTime = timestamp(this.now)
  }

  private setCondition(condition: Conclusion, status = 'True'): void {
    this.conditions = withCondition(this.conditions, condition, status, this.now)
  }

  /**
   * Uids go to the status before finalizers are removed and counters increase: an interruption
   * neither loses a pod nor counts it twice.
   */
  private async track(done: Conclusion | undefined): Promise<void> {
    const failing = done?.type === 'FailureTarget'
    const noted = uncountedPods(this.job)
    const { succeeded, failed } = this.job.status?.uncountedTerminatedPods ?? {}
    const tracked = this.pods.filter((pod) => isTracked(pod) && this.mayRemoveFinalizer(pod, done))
    const counted = { succeeded: [...(succeeded ?? [])], failed: [...(failed ?? [])] }
    for (const pod of tracked) {
      const uid = pod.metadata.uid ?? ''
      if (noted.has(uid) || !concerns(this.job, pod)) continue
      if (pod.status?.phase === 'Succeeded') {
        if (!isIndexed(this.job)) counted.succeeded.push(uid)
      } else if ((hasFailed(this.job, pod) || failing) && verdictOn(this.job, pod).counts)
        counted.failed.push(uid)
    }
    const { succeeded: before = 0, failed: failedBefore = 0 } = this.job.status ?? {}
    if (done && isAnnounced(done, this.gates)) this.setCondition(done)
    if (tracked.length > 0 || counted.succeeded.length > 0 || counted.failed.length > 0) {
      await this.writeStatus({ succeeded: before, failed: failedBefore, uncounted: counted })
      for (const pod of tracked) await this.untrack(pod)
    }
    if (done && (!waitsForPods(this.gates) || (this.terminating === 0 && this.active === 0)))
      this.finish(done)
    const total = isIndexed(this.job) ? this.completed.size : before + counted.succeeded.length
    await this.writeStatus({
      succeeded: total,
      failed: failedBefore + counted.failed.length,
      uncounted: { succeeded: [], failed: [] },
    })
  }

  private mayRemoveFinalizer(pod: Stored<Pod>, done: Conclusion | undefined): boolean {
    if (
      done !== undefined ||
      this.job.metadata.deletionTimestamp ||
      pod.status?.phase === 'Succeeded'
    )
      return true
    return (
      hasFailed(this.job, pod) &&
      this.lastFailures.get(indexOf(this.job, pod) ?? -1)?.metadata.uid !== pod.metadata.uid
    )
  }

  private completionTime: string | undefined

  private finish({ type, reason, message }: Conclusion): void {
    const { recorder, backoff } = this.context
    const successful = type === 'SuccessCriteriaMet'
    this.setCondition({ type: successful ? 'Complete' : 'Failed', reason, message })
    backoff.delete(this.key)
    if (!successful) {
      recorder.event(this.job, 'Warning', reason ?? '', message ?? '')
      return
    }
    this.completionTime = timestamp(this.now)
    if (this.job.spec?.completions !== undefined && this.succeeded > this.job.spec.completions) {
      recorder.event(
        this.job,
        'Warning',
        'TooManySucceededPods',
        'Too many succeeded pods running after completion count reached',
      )
    }
    recorder.event(this.job, 'Normal', 'Completed', 'Job completed')
  }

  private async untrack(pod: Stored<Pod>): Promise<void> {
    const left = (pod.metadata.finalizers ?? []).filter((finalizer) => finalizer !== TRACKING)
    try {
      await this.context.client.merge(pod, {
        metadata: { finalizers: left.length > 0 ? left : null },
      })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  private async writeStatus(counts: Counts): Promise<void> {
    const { client, jobs } = this.context
    const job = jobs.get(this.key)
    if (job === undefined || job.metadata.uid !== this.job.metadata.uid) return
    const { conditions, startTime, active, ready, completed } = this
    const progress = {
      ...{ conditions, startTime, active, ready, completed },
      completionTime: this.completionTime ?? job.status?.completionTime,
      terminating: this.gates.JobPodReplacementPolicy ? this.terminating : undefined,
      failedIndexes:
        this.job.spec?.backoffLimitPerIndex === undefined ? undefined : this.failedIndexes,
    }
    const status = statusOf(progress, counts)
    if (equalJson(status, job.status ?? {})) return
    try {
      await client.update({ ...draftOf(job), status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}
