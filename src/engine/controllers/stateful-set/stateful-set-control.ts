/**
 * Creates, updates and deletes the Pods of a StatefulSet in order. Recorded from
 * kube-controller-manager 1.31.
 */

import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { draftOf, equalJson } from '../../core/object'
import { ApiError } from '../../http/status'
import { alreadyExists, type Client, inTerminatingNamespace, isNotFound } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { resolved } from '../shared/int-or-percent'
import { claimed } from '../shared/ownership'
import { slowStartBatch } from '../shared/pod-control'
import { hasEnded, isAvailable, nextAvailable } from '../shared/pods'
import { inOrder, type Revision, templateOf } from '../shared/revisions'
import { requirementsOf } from '../shared/selectors'
import { Claims } from './claims'
import { isInPlace, ordinalOf, placeLabels, startOf, statefulPod } from './pods'
import { SetRevisions } from './set-revisions'
import { isHealthy, isTerminating, revisionOf, runsReady, statusOf } from './status'

export interface Context {
  manager: Manager
  client: Client
  recorder: Recorder
  sets: Informer<StatefulSet>
  pods: Informer<Pod>
  claims: Informer<PersistentVolumeClaim>
  revisions: Informer<Revision>
}

/** kube-controller-manager has no limit. */
const BURST = 500

/** Whether the next ordinal may follow. */
type Step = 'go on' | 'wait'

export class StatefulSetControl {
  private readonly revisions: SetRevisions
  private readonly ownClaims: Claims
  /** Pods deleted for the update; `currentReplicas` excludes them. */
  private replaced = 0

  constructor(
    private readonly context: Context,
    private readonly set: Stored<StatefulSet>,
  ) {
    this.revisions = new SetRevisions(context.client, set)
    this.ownClaims = new Claims(
      context,
      set,
      context.manager.engine.featureGates.StatefulSetAutoDeletePVC === true,
    )
  }

  /** @returns milliseconds until the next sync; undefined: on changes only */
  async run(): Promise<number | undefined> {
    const { client, pods, revisions } = this.context
    const selector = requirementsOf(this.set.spec?.selector)
    if (selector === undefined || selector.length === 0) return undefined
    const { namespace } = this.set.metadata
    const known = inOrder(
      await claimed({ client, owner: this.set, selector }, [...revisions.list(namespace)]),
    )
    const adopts = (pod: Parameters<typeof ordinalOf>[1]) => ordinalOf(this.set, pod) >= 0
    const mine = await claimed<Pod>({ client, owner: this.set, selector, adopts }, [
      ...pods.list(namespace),
    ])
    await this.revisions.choose(known)
    const own = mine.filter((pod) => ordinalOf(this.set, pod) >= 0)
    const failure = await this.arrange(own).catch((error: unknown) => ({ error }))
    await this.writeStatus(own)
    await this.revisions.cleanUp(known, own.map(revisionOf))
    if (failure) throw failure.error
    return nextAvailable(own, this.set.spec?.minReadySeconds ?? 0, this.context.manager.now())
  }

  private available(pod: Stored<Pod>): boolean {
    return (
      runsReady(pod) &&
      isAvailable(pod, this.set.spec?.minReadySeconds ?? 0, this.context.manager.now())
    )
  }

  private get size(): number {
    return this.set.spec?.replicas ?? 1
  }

  private get hasIndexLabels(): boolean {
    return this.context.manager.engine.featureGates.PodIndexLabel === true
  }

  private get oneByOne(): boolean {
    return this.set.spec?.podManagementPolicy !== 'Parallel'
  }

  private async arrange(own: Stored<Pod>[]): Promise<void> {
    if (this.set.metadata.deletionTimestamp) return
    const start = startOf(this.set)
    const within = (pod: Stored<Pod>) =>
      ordinalOf(this.set, pod) >= start && ordinalOf(this.set, pod) < start + this.size
    const byOrdinal = new Map(own.filter(within).map((pod) => [ordinalOf(this.set, pod), pod]))
    const condemned = own
      .filter((pod) => !within(pod))
      .sort((a, b) => ordinalOf(this.set, b) - ordinalOf(this.set, a))
    const ordinals = this.ordinals(start, byOrdinal)
    if (
      (await this.inTurn(ordinals, (ordinal) => this.fill(ordinal, byOrdinal.get(ordinal)))) ===
      'wait'
    )
      return
    for (const pod of condemned) await this.ownClaims.settleOwners(pod, true)
    const firstUnhealthy = this.firstUnhealthy(byOrdinal, condemned)
    if ((await this.inTurn(condemned, (pod) => this.condemn(pod, firstUnhealthy))) === 'wait')
      return
    await this.roll(byOrdinal)
  }

  /** Up to the limit of pods to create. */
  private ordinals(start: number, byOrdinal: ReadonlyMap<number, unknown>): number[] {
    const ordinals: number[] = []
    for (
      let ordinal = start, missing = 0;
      ordinal < start + this.size && missing < BURST;
      ordinal++
    ) {
      ordinals.push(ordinal)
      if (!byOrdinal.has(ordinal)) missing++
    }
    return ordinals
  }

  /** OrderedReady stops at the first item that waits. */
  private async inTurn<Item>(
    items: readonly Item[],
    step: (item: Item) => Promise<Step>,
  ): Promise<Step> {
    if (!this.oneByOne) {
      await slowStartBatch(items, step)
      return 'go on'
    }
    for (const item of items) if ((await step(item)) === 'wait') return 'wait'
    return 'go on'
  }

  /** @returns the lowest ordinal; condemned pods come last */
  private firstUnhealthy(
    byOrdinal: Map<number, Stored<Pod>>,
    condemned: Stored<Pod>[],
  ): Stored<Pod> | undefined {
    const places = [...byOrdinal].sort(([a], [b]) => a - b).map(([, pod]) => pod)
    return [...places, ...[...condemned].reverse()].find((pod) => !isHealthy(pod))
  }

  private async fill(ordinal: number, pod: Stored<Pod> | undefined): Promise<Step> {
    if (pod !== undefined && hasEnded(pod)) {
      if (!isTerminating(pod)) await this.deletePod(pod)
      return 'wait'
    }
    if (pod === undefined) {
      if (this.ownClaims.hasStale(ordinal)) return 'wait'
      await this.createPod(ordinal)
      return this.oneByOne ? 'wait' : 'go on'
    }
    if (pod.status?.phase === 'Pending') {
      await this.ownClaims.create(ordinal)
      await this.ownClaims.settleOwners(pod, false)
    }
    if (this.oneByOne && (isTerminating(pod) || !this.available(pod))) return 'wait'
    if (isTerminating(pod)) return 'go on'
    if (await this.ownClaims.settleOwners(pod, false)) this.recordEvent('update', pod.metadata.name)
    if (!isInPlace(this.set, pod, this.hasIndexLabels)) {
      const labels = placeLabels(this.set, ordinal, this.hasIndexLabels)
      await this.withEvent('update', pod.metadata.name, () =>
        this.context.client.strategicMerge(pod, { metadata: { labels } }),
      )
    }
    return 'go on'
  }

  private async condemn(pod: Stored<Pod>, firstUnhealthy: Stored<Pod> | undefined): Promise<Step> {
    if (isTerminating(pod)) return this.oneByOne ? 'wait' : 'go on'
    if (this.oneByOne && !this.available(pod) && pod !== firstUnhealthy) return 'wait'
    await this.deletePod(pod)
    return this.oneByOne ? 'wait' : 'go on'
  }

  /** Deletes the highest outdated pod, if all above it are healthy. */
  private async roll(byOrdinal: Map<number, Stored<Pod>>): Promise<void> {
    const { updateStrategy } = this.set.spec ?? {}
    if (updateStrategy?.type === 'OnDelete') return
    const start = startOf(this.set)
    const lowest = start + Math.max(0, updateStrategy?.rollingUpdate?.partition ?? 0)
    if (this.context.manager.engine.featureGates.MaxUnavailableStatefulSet === true)
      return this.rollSeveral(byOrdinal, lowest)
    for (let ordinal = start + this.size - 1; ordinal >= lowest; ordinal--) {
      const pod = byOrdinal.get(ordinal)
      if (pod === undefined) return
      if (revisionOf(pod) !== this.revisions.update?.metadata.name && !isTerminating(pod)) {
        await this.deletePod(pod)
        this.replaced = 1
        return
      }
      if (!isHealthy(pod)) return
    }
  }

  /** Deletes outdated pods from the highest ordinal down, up to `maxUnavailable`. */
  private async rollSeveral(byOrdinal: Map<number, Stored<Pod>>, lowest: number): Promise<void> {
    const { maxUnavailable } = (this.set.spec?.updateStrategy?.rollingUpdate ?? {}) as {
      maxUnavailable?: number | string
    }
    const places = [...byOrdinal].sort(([a], [b]) => b - a)
    const away = this.size - places.filter(([, pod]) => isHealthy(pod)).length
    const outdated = places.filter(
      ([ordinal, pod]) =>
        ordinal >= lowest &&
        revisionOf(pod) !== this.revisions.update?.metadata.name &&
        !isTerminating(pod),
    )
    const most = Math.max(1, resolved(maxUnavailable ?? 1, this.size, 'down'))
    for (const [, pod] of outdated.slice(0, Math.max(0, most - away))) {
      await this.deletePod(pod)
      this.replaced++
    }
  }

  private async createPod(ordinal: number): Promise<void> {
    const revision = this.revisionFor(ordinal)
    const template =
      revision === this.revisions.update
        ? this.set.spec?.template
        : revision && templateOf(revision)
    const name = revision?.metadata.name ?? ''
    const pod = statefulPod(this.set, template, name, ordinal, this.hasIndexLabels)
    try {
      const made = await this.withEvent('create', pod.metadata.name, async () => {
        await this.ownClaims.create(ordinal)
        return this.context.client.create<Pod>(pod)
      })
      await this.ownClaims.settleOwners(made, false)
    } catch (error) {
      // A pod of another owner has the name: no event.
      if (!alreadyExists(error) && !inTerminatingNamespace(error)) throw error
    }
  }

  private async withEvent<Result>(
    verb: string,
    pod: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      const result = await work()
      this.recordEvent(verb, pod)
      return result
    } catch (error) {
      if (error instanceof ApiError && !alreadyExists(error) && !inTerminatingNamespace(error))
        this.recordEvent(verb, pod, error)
      throw error
    }
  }

  private recordEvent(verb: string, pod: string | undefined, failure?: ApiError): void {
    const what = `${verb} Pod ${pod} in StatefulSet ${this.set.metadata.name}`
    const reason = `${verb[0]?.toUpperCase()}${verb.slice(1)}`
    if (failure)
      this.context.recorder.event(
        this.set,
        'Warning',
        `Failed${reason}`,
        `${what} failed error: ${failure.message}`,
      )
    else
      this.context.recorder.event(this.set, 'Normal', `Successful${reason}`, `${what} successful`)
  }

  /** Below the partition the current revision stays. */
  private revisionFor(ordinal: number): Revision | undefined {
    const { type, rollingUpdate } = this.set.spec?.updateStrategy ?? {}
    const start = startOf(this.set)
    const older =
      rollingUpdate === undefined
        ? type === 'RollingUpdate' && ordinal < start + (this.set.status?.currentReplicas ?? 0)
        : ordinal < start + (rollingUpdate.partition ?? 0)
    return older ? this.revisions.current : this.revisions.update
  }

  private deletePod(pod: Stored<Pod>): Promise<void> {
    return this.withEvent('delete', pod.metadata.name, () => this.context.client.delete(pod))
  }

  /** Counts pods as of the start of the sync. */
  private async writeStatus(own: Stored<Pod>[]): Promise<void> {
    const { client, sets } = this.context
    const set = sets.get(keyOf(this.set))
    if (set === undefined || set.metadata.uid !== this.set.metadata.uid) return
    const status = statusOf(this.set, own, {
      revisions: this.revisions,
      replaced: this.replaced,
      isAvailable: (pod) => this.available(pod),
    })
    if (equalJson(status, set.status)) return
    try {
      await client.update({ ...draftOf(set), status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}
