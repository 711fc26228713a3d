import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import { draftOf, equalJson } from '../../core/object'
import { ApiError } from '../../http/status'
import { alreadyExists, type Client, inTerminatingNamespace, isNotFound } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'
import type { Stored } from '../runtime/stored'
import { claimed, controllerOf } from '../shared/ownership'
import { hasEnded } from '../shared/pods'
import { requirementsOf } from '../shared/selectors'
import { newReplicaSet } from './new-replica-set'
import * as replicas from './replicas'
import {
  byRevision,
  lastRevision,
  newestOf,
  REVISION,
  sameTemplate,
  setAnnotations,
  sizeAnnotations,
} from './revisions'
import { rolledBack, wantedRevision } from './rollback'
import {
  conditionOf,
  countedStatus,
  hasDeadline,
  isComplete,
  rolloutStatus,
  withCondition,
} from './status'

export interface Context {
  manager: Manager
  client: Client
  recorder: Recorder
  deployments: Informer<Deployment>
  sets: Informer<ReplicaSet>
  pods: Informer<Pod>
}

type PodSet = Stored<ReplicaSet>

export class Rollout {
  private deployment: Stored<Deployment>
  private old: PodSet[] = []
  private newest: PodSet | undefined

  constructor(
    private readonly context: Context,
    deployment: Stored<Deployment>,
  ) {
    this.deployment = deployment
  }

  private get all(): PodSet[] {
    return this.newest ? [...this.old, this.newest] : this.old
  }

  async run(): Promise<void> {
    const { client, sets } = this.context
    const { metadata, spec } = this.deployment
    const selector = requirementsOf(spec?.selector)
    if (selector === undefined || selector.length === 0) return
    const mine = await claimed<ReplicaSet>({ client, owner: this.deployment, selector }, [
      ...sets.list(metadata.namespace),
    ])
    this.sort(mine)
    if (metadata.deletionTimestamp) {
      await this.numberRevisions(false)
      await this.writeStatus(countedStatus(this.deployment, this.all, this.newest, this.now()))
      return
    }
    await this.notePause()
    const revision = wantedRevision(this.deployment)
    if (!spec?.paused && revision !== undefined) await this.goBack(revision)
    else if (spec?.paused || this.wasScaled()) await this.scaleOnly()
    else if (spec?.strategy?.type === 'Recreate') await this.recreate()
    else await this.roll()
  }

  private async goBack(revision: bigint): Promise<void> {
    await this.numberRevisions(true)
    const { client, recorder } = this.context
    const { deployment, event } = rolledBack(this.deployment, revision, this.all)
    recorder.event(this.deployment, event.type, event.reason, event.message)
    await client.update(deployment)
  }

  private now(): number {
    return this.context.manager.now()
  }

  private sort(mine: PodSet[]): void {
    this.newest = newestOf(this.deployment, mine)
    this.old = mine.filter((set) => set.metadata.uid !== this.newest?.metadata.uid)
  }

  private async notePause(): Promise<void> {
    if (!hasDeadline(this.deployment)) return
    const { spec, status } = this.deployment
    const reason = conditionOf(status, 'Progressing')?.reason
    if (reason === 'ProgressDeadlineExceeded') return
    const noted = reason === 'DeploymentPaused'
    if (Boolean(spec?.paused) === noted) return
    const progress = spec?.paused
      ? (['DeploymentPaused', 'Deployment is paused'] as const)
      : (['DeploymentResumed', 'Deployment is resumed'] as const)
    await this.setProgress('Unknown', progress[0], progress[1])
  }

  private async setProgress(
    status: 'True' | 'False' | 'Unknown',
    reason: string,
    message: string,
    annotations?: Record<string, string>,
  ): Promise<void> {
    const conditions = withCondition(
      this.deployment.status?.conditions ?? [],
      { type: 'Progressing', status, reason, message },
      this.now(),
    )
    await this.writeStatus({ ...this.deployment.status, conditions }, annotations)
  }

  /** An active ReplicaSet has an annotation with another size. */
  private wasScaled(): boolean {
    return replicas.active(this.all).some(({ metadata }) => {
      const desired = metadata.annotations?.[replicas.DESIRED]
      return desired !== undefined && Number(desired) !== replicas.wanted(this.deployment)
    })
  }

  private async scaleOnly(): Promise<void> {
    await this.numberRevisions(false)
    await this.scale()
    if (this.deployment.spec?.paused) await this.cleanUp()
    await this.writeStatus(countedStatus(this.deployment, this.all, this.newest, this.now()))
  }

  private async scale(): Promise<void> {
    const size = replicas.wanted(this.deployment)
    const running = replicas.active(this.all)
    const only =
      running.length > 1
        ? undefined
        : (running[0] ?? this.newest ?? [...this.old].sort(replicas.byAge).at(-1))
    if (only !== undefined) {
      if (replicas.sizeOf(only) !== size) await this.resize(only, size)
      return
    }
    if (running.length === 0) return
    if (replicas.isSaturated(this.deployment, this.newest)) {
      for (const set of replicas.active(this.old)) await this.resize(set, 0)
    } else if (this.deployment.spec?.strategy?.type === 'RollingUpdate') {
      for (const [set, share] of replicas.proportionalSizes(this.deployment, running))
        await this.resize(set, share, { recordSize: true })
    }
  }

  private async roll(): Promise<void> {
    await this.numberRevisions(true)
    if ((await this.growNewest()) || (await this.shrinkOld())) return this.report()
    if (isComplete(this.deployment, this.deployment.status ?? {})) await this.cleanUp()
    await this.report()
  }

  private async growNewest(): Promise<boolean> {
    const { newest, deployment } = this
    if (newest === undefined) return false
    const size = Math.min(
      replicas.sizeOfNewest(deployment, this.all, newest),
      replicas.wanted(deployment),
    )
    return this.resize(newest, size)
  }

  private async shrinkOld(): Promise<boolean> {
    if (replicas.total(this.old) === 0) return false
    const least = replicas.wanted(this.deployment) - replicas.maxUnavailable(this.deployment)
    const missing = replicas.sizeOf(this.newest) - (this.newest?.status?.availableReplicas ?? 0)
    const most = replicas.total(this.all) - least - missing
    if (most <= 0) return false
    const cleaned = await this.shrink(
      most,
      (set) => replicas.sizeOf(set) - (set.status?.availableReplicas ?? 0),
    )
    const spare = replicas.lasting(this.all) - least
    const removed = spare > 0 ? await this.shrink(spare, replicas.sizeOf) : 0
    return cleaned + removed > 0
  }

  /** Oldest first. @returns the number of removed pods */
  private async shrink(most: number, removable: (set: PodSet) => number): Promise<number> {
    let taken = 0
    for (const set of [...this.old].sort(replicas.byAge)) {
      const count = Math.min(most - taken, removable(set))
      if (replicas.sizeOf(set) === 0 || count <= 0) continue
      await this.resize(set, replicas.sizeOf(set) - count)
      taken += count
    }
    return taken
  }

  private async recreate(): Promise<void> {
    await this.numberRevisions(false)
    const running = replicas.active(this.old)
    for (const set of running) await this.resize(set, 0)
    if (running.length > 0 || this.oldPodsRun()) return this.report()
    if (this.newest === undefined) await this.numberRevisions(true)
    if (this.newest) await this.resize(this.newest, replicas.wanted(this.deployment))
    if (isComplete(this.deployment, this.deployment.status ?? {})) await this.cleanUp()
    await this.report()
  }

  private oldPodsRun(): boolean {
    if (replicas.actual(this.old) > 0) return true
    const old = new Set(this.old.map(({ metadata }) => metadata.uid))
    return [...this.context.pods.list(this.deployment.metadata.namespace)].some(
      (pod) => old.has(controllerOf(pod)?.uid) && !hasEnded(pod),
    )
  }

  /** @param create whether to create a missing newest ReplicaSet */
  private async numberRevisions(create: boolean): Promise<void> {
    const revision = lastRevision(this.old) + 1n
    if (this.newest) await this.renumber(this.newest, revision)
    else if (create) await this.createNewest(revision)
  }

  private async renumber(newest: PodSet, revision: bigint): Promise<void> {
    const annotations = setAnnotations(this.deployment, newest.metadata.annotations ?? {}, revision)
    const minReadySeconds = this.deployment.spec?.minReadySeconds ?? 0
    if (
      !equalJson(annotations, newest.metadata.annotations ?? {}) ||
      minReadySeconds !== (newest.spec?.minReadySeconds ?? 0)
    ) {
      const draft = draftOf(newest) as PodSet
      draft.metadata.annotations = annotations
      Object.assign(draft.spec ?? {}, { minReadySeconds })
      this.newest = await this.context.client.update<ReplicaSet>(draft)
    }
    const own = this.deployment.metadata.annotations?.[REVISION]
    const known = this.newest?.metadata.annotations?.[REVISION] ?? ''
    const changed = own !== known ? { [REVISION]: known } : undefined
    if (
      hasDeadline(this.deployment) &&
      conditionOf(this.deployment.status, 'Progressing') === undefined
    ) {
      await this.setProgress(
        'True',
        'FoundNewReplicaSet',
        `Found new replica set ${JSON.stringify(newest.metadata.name)}`,
        changed,
      )
    } else if (changed) await this.writeStatus(this.deployment.status ?? {}, changed)
  }

  private async createNewest(revision: bigint): Promise<void> {
    const { client, recorder } = this.context
    const { deployment } = this
    const given = newReplicaSet(
      deployment,
      revision,
      replicas.sizeOfNewest(deployment, this.all, undefined),
    )
    const name = given.metadata.name
    let made = true
    try {
      this.newest = await client.create<ReplicaSet>(given)
    } catch (error) {
      if (inTerminatingNamespace(error) || !(error instanceof ApiError)) throw error
      if (alreadyExists(error)) {
        const present = await client.get<ReplicaSet>(given)
        const mine =
          controllerOf(present)?.uid === deployment.metadata.uid &&
          sameTemplate(present.spec?.template, deployment.spec?.template)
        if (!mine) {
          const collisionCount = (deployment.status?.collisionCount ?? 0) + 1
          await this.writeStatus({ ...deployment.status, collisionCount })
          throw error
        }
        this.newest = present
        made = false
      } else {
        const message = `Failed to create new replica set ${JSON.stringify(name)}: ${error.message}`
        if (hasDeadline(deployment))
          await this.setProgress('False', 'ReplicaSetCreateError', message)
        recorder.event(deployment, 'Warning', 'ReplicaSetCreateError', message)
        throw error
      }
    }
    const size = replicas.sizeOf(this.newest)
    if (made && size > 0)
      recorder.event(
        deployment,
        'Normal',
        'ScalingReplicaSet',
        `Scaled up replica set ${name} to ${size}`,
      )
    const own = deployment.metadata.annotations?.[REVISION]
    const changed = own !== String(revision) ? { [REVISION]: String(revision) } : undefined
    if (made && hasDeadline(deployment))
      await this.setProgress(
        'True',
        'NewReplicaSetCreated',
        `Created new replica set ${JSON.stringify(name)}`,
        changed,
      )
    else if (changed) await this.writeStatus(deployment.status ?? {}, changed)
  }

  /**
   * @param recordSize updates size annotations of an unchanged size too @returns whether it changed
   */
  private async resize(
    set: PodSet,
    size: number,
    { recordSize } = { recordSize: false },
  ): Promise<boolean> {
    const before = replicas.sizeOf(set)
    if (before === size && !recordSize) return false
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(this.deployment) }
    if (before === size && equalJson(annotations, set.metadata.annotations ?? {})) return false
    const draft = draftOf(set) as PodSet
    draft.metadata.annotations = annotations
    Object.assign(draft.spec ?? {}, { replicas: size })
    const changed = await this.context.client.update<ReplicaSet>(draft)
    if (this.newest?.metadata.uid === set.metadata.uid) this.newest = changed
    else
      this.old = this.old.map((other) =>
        other.metadata.uid === set.metadata.uid ? changed : other,
      )
    if (before === size) return false
    const way = before < size ? 'up' : 'down'
    const message = `Scaled ${way} replica set ${set.metadata.name} to ${size} from ${before}`
    this.context.recorder.event(this.deployment, 'Normal', 'ScalingReplicaSet', message)
    return true
  }

  /** Lowest revisions first. */
  private async cleanUp(): Promise<void> {
    const limit = this.deployment.spec?.revisionHistoryLimit
    if (limit === undefined) return
    const alive = this.old.filter(({ metadata }) => !metadata.deletionTimestamp)
    const tooMany = alive.length - limit
    if (tooMany <= 0) return
    for (const set of alive.sort(byRevision).slice(0, tooMany)) {
      const { status, metadata } = set
      if (
        status?.replicas ||
        replicas.sizeOf(set) > 0 ||
        (metadata.generation ?? 0) > (status?.observedGeneration ?? 0)
      )
        continue
      await this.context.client.delete(set)
      this.old = this.old.filter((other) => other !== set)
    }
  }

  private report(): Promise<void> {
    return this.writeStatus(rolloutStatus(this.deployment, this.all, this.newest, this.now()))
  }

  /** The status subresource of Deployments accepts annotations too. */
  private async writeStatus(
    status: Stored<Deployment>['status'],
    annotations?: Record<string, string>,
  ): Promise<void> {
    if (annotations === undefined && equalJson(status, this.deployment.status ?? {})) return
    const draft = draftOf(this.deployment)
    if (annotations) draft.metadata.annotations = { ...draft.metadata.annotations, ...annotations }
    try {
      this.deployment = await this.context.client.update<Deployment>({ ...draft, status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}
