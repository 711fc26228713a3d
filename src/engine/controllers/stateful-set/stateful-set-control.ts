/**
 * One sync of one StatefulSet: ordinals in order, one step at a time.
 * Recorded from kube-controller-manager 1.31.
 */

import type { StatefulSet, StatefulSetStatus } from 'kubernetes-types/apps/v1'
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { draftOf, equalJson } from '../../core/object'
import { ApiError, serverError } from '../../http/status'
import {
  alreadyExists,
  type Client,
  inTerminatingNamespace,
  isConflict,
  isNotFound,
} from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { resolved } from '../shared/int-or-percent'
import { claimed } from '../shared/ownership'
import { slowStartBatch } from '../shared/pod-control'
import { hasEnded, isAvailable, isReady, nextAvailable } from '../shared/pods'
import {
  inOrder,
  newRevision,
  nextRevision,
  type Revision,
  revisionData,
  sameData,
  templateOf,
} from '../shared/revisions'
import { requirementsOf } from '../shared/selectors'
import { revisionHash } from '../shared/template-hash'
import {
  claimOwners,
  claimsOf,
  isInPlace,
  ordinalOf,
  placeLabels,
  podName,
  REVISION_LABEL,
  startOf,
  statefulPod,
} from './pods'

export interface Context {
  manager: Manager
  client: Client
  recorder: Recorder
  sets: Informer<StatefulSet>
  pods: Informer<Pod>
  claims: Informer<PersistentVolumeClaim>
  revisions: Informer<Revision>
}

/** Limit of pods that one sync creates. kube-controller-manager has no limit. */
const BURST = 500

const HASH_LABEL = 'controller.kubernetes.io/hash'

/** Whether the sync may go on with the next ordinal. */
type Step = 'go on' | 'wait'

const isTerminating = ({ metadata }: Stored<Pod>): boolean => Boolean(metadata.deletionTimestamp)
const runsReady = (pod: Stored<Pod>): boolean => pod.status?.phase === 'Running' && isReady(pod)
const isHealthy = (pod: Stored<Pod>): boolean => runsReady(pod) && !isTerminating(pod)
const revisionOf = ({ metadata }: Stored<Pod>): string => metadata.labels?.[REVISION_LABEL] ?? ''

export class StatefulSetControl {
  private current: Revision | undefined
  private update: Revision | undefined
  private collisionCount: number
  /**
   * Number of pods that this sync deleted for the update revision. The status subtracts them from
   * `currentReplicas`.
   */
  private replaced = 0

  constructor(
    private readonly context: Context,
    private readonly set: Stored<StatefulSet>,
  ) {
    this.collisionCount = set.status?.collisionCount ?? 0
  }

  /** @returns milliseconds until the next sync; undefined if time alone changes nothing */
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
    await this.chooseRevisions(known)
    const own = mine.filter((pod) => ordinalOf(this.set, pod) >= 0)
    const failure = await this.arrange(own).catch((error: unknown) => ({ error }))
    await this.writeStatus(own)
    await this.cleanUp(known, own)
    if (failure) throw failure.error
    return nextAvailable(own, this.set.spec?.minReadySeconds ?? 0, this.context.manager.now())
  }

  private available(pod: Stored<Pod>): boolean {
    return (
      runsReady(pod) &&
      isAvailable(pod, this.set.spec?.minReadySeconds ?? 0, this.context.manager.now())
    )
  }

  /** Selects the current revision and the update revision. */
  private async chooseRevisions(known: Revision[]): Promise<void> {
    const { client } = this.context
    const template = this.set.spec?.template
    const equal = sameData(known, template)
    const last = known.at(-1)
    const revision = nextRevision(known)
    if (equal.length > 0 && last !== undefined && equal.includes(last)) this.update = last
    else if (equal.length > 0)
      this.update = await client.update<Revision>({
        ...draftOf(equal.at(-1) as Revision),
        revision,
      })
    else this.update = await this.create(revision)
    const name = this.set.status?.currentRevision
    this.current =
      (name ? known.find(({ metadata }) => metadata.name === name) : undefined) ?? this.update
  }

  private async create(revision: number): Promise<Revision> {
    const { client } = this.context
    const template = this.set.spec?.template
    for (;;) {
      const given = newRevision({
        owner: this.set,
        template,
        revision,
        hash: revisionHash(revisionData(template), this.collisionCount),
        hashLabel: HASH_LABEL,
      })
      try {
        return await client.create<Revision>(given)
      } catch (error) {
        if (!alreadyExists(error)) throw error
        const there = await client.get<Revision>(given)
        if (equalJson(there.data, revisionData(template))) return there
        this.collisionCount++
      }
    }
  }

  private get size(): number {
    return this.set.spec?.replicas ?? 1
  }

  /** Whether sets and pods own claims, so that claims are deleted with them. */
  private get ownsClaims(): boolean {
    return this.context.manager.engine.featureGates.StatefulSetAutoDeletePVC === true
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
    for (const pod of condemned) await this.settleClaims(pod, true)
    const firstUnhealthy = this.firstUnhealthy(byOrdinal, condemned)
    if ((await this.inTurn(condemned, (pod) => this.condemn(pod, firstUnhealthy))) === 'wait')
      return
    await this.roll(byOrdinal)
  }

  /** @returns the ordinals in order, up to the limit of pods to create */
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

  /**
   * With OrderedReady, takes a step for each item until one has to wait; with Parallel, for all.
   */
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

  /** @returns the unhealthy pod with the lowest ordinal; condemned pods come after the others */
  private firstUnhealthy(
    byOrdinal: Map<number, Stored<Pod>>,
    condemned: Stored<Pod>[],
  ): Stored<Pod> | undefined {
    const places = [...byOrdinal].sort(([a], [b]) => a - b).map(([, pod]) => pod)
    return [...places, ...[...condemned].reverse()].find((pod) => !isHealthy(pod))
  }

  /** Takes one step to make the pod of an ordinal run and match its identity. */
  private async fill(ordinal: number, pod: Stored<Pod> | undefined): Promise<Step> {
    if (pod !== undefined && hasEnded(pod)) {
      if (!isTerminating(pod)) await this.deletePod(pod)
      return 'wait'
    }
    if (pod === undefined) {
      if (this.hasStaleClaim(ordinal)) return 'wait'
      await this.createPod(ordinal)
      return this.oneByOne ? 'wait' : 'go on'
    }
    if (pod.status?.phase === 'Pending') {
      await this.createClaims(ordinal)
      await this.settleClaims(pod, false)
    }
    if (this.oneByOne && (isTerminating(pod) || !this.available(pod))) return 'wait'
    if (isTerminating(pod)) return 'go on'
    if (await this.settleClaims(pod, false)) this.recordEvent('update', pod.metadata.name)
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

  /** Deletes the outdated pod with the highest ordinal if all pods above it are healthy. */
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
      if (revisionOf(pod) !== this.update?.metadata.name && !isTerminating(pod)) {
        await this.deletePod(pod)
        this.replaced = 1
        return
      }
      if (!isHealthy(pod)) return
    }
  }

  /** Deletes outdated pods from the highest ordinal down, limited by `maxUnavailable`. */
  private async rollSeveral(byOrdinal: Map<number, Stored<Pod>>, lowest: number): Promise<void> {
    const { maxUnavailable } = (this.set.spec?.updateStrategy?.rollingUpdate ?? {}) as {
      maxUnavailable?: number | string
    }
    const places = [...byOrdinal].sort(([a], [b]) => b - a)
    const away = this.size - places.filter(([, pod]) => isHealthy(pod)).length
    const outdated = places.filter(
      ([ordinal, pod]) =>
        ordinal >= lowest && revisionOf(pod) !== this.update?.metadata.name && !isTerminating(pod),
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
      revision === this.update ? this.set.spec?.template : revision && templateOf(revision)
    const name = revision?.metadata.name ?? ''
    const pod = statefulPod(this.set, template, name, ordinal, this.hasIndexLabels)
    try {
      const made = await this.withEvent('create', pod.metadata.name, async () => {
        await this.createClaims(ordinal)
        return this.context.client.create<Pod>(pod)
      })
      await this.settleClaims(made, false)
    } catch (error) {
      // A pod of another owner has the name: the pod is skipped without an event.
      if (!alreadyExists(error) && !inTerminatingNamespace(error)) throw error
    }
  }

  /** Performs an operation on a pod, and sends an event with the result. */
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

  /** Pods with ordinals below the partition keep the current revision. */
  private revisionFor(ordinal: number): Revision | undefined {
    const { type, rollingUpdate } = this.set.spec?.updateStrategy ?? {}
    const start = startOf(this.set)
    const older =
      rollingUpdate === undefined
        ? type === 'RollingUpdate' && ordinal < start + (this.set.status?.currentReplicas ?? 0)
        : ordinal < start + (rollingUpdate.partition ?? 0)
    return older ? this.current : this.update
  }

  /** Whether a claim is owned by an earlier pod of the ordinal, and is deleted with it. */
  private hasStaleClaim(ordinal: number): boolean {
    if (
      !this.ownsClaims ||
      this.set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete'
    )
      return false
    const pod = podName(this.set, ordinal)
    return claimsOf(this.set, ordinal).some((claim) =>
      this.context.claims
        .get(keyOf(claim))
        ?.metadata.ownerReferences?.some(({ kind, name }) => kind === 'Pod' && name === pod),
    )
  }

  /** @throws ApiError if a claim cannot be created or is being deleted, after the other claims */
  private async createClaims(ordinal: number): Promise<void> {
    const { client, claims, recorder } = this.context
    const pod = podName(this.set, ordinal)
    const set = this.set.metadata.name
    const problems: string[] = []
    for (const claim of claimsOf(this.set, ordinal)) {
      const { name } = claim.metadata
      const present = claims.get(keyOf(claim))
      if (present !== undefined) {
        if (present.metadata.deletionTimestamp) problems.push(`pvc ${name} is being deleted`)
        continue
      }
      try {
        await client.create(claim)
        recorder.event(
          this.set,
          'Normal',
          'SuccessfulCreate',
          `create Claim ${name} Pod ${pod} in StatefulSet ${set} success`,
        )
      } catch (error) {
        if (!(error instanceof ApiError) || inTerminatingNamespace(error)) throw error
        problems.push(`failed to create PVC ${name}: ${error.message}`)
        const message = `create Claim ${name} for Pod ${pod} in StatefulSet ${set} failed error: ${error.message}`
        if (!alreadyExists(error)) recorder.event(this.set, 'Warning', 'FailedCreate', message)
      }
    }
    const [first] = problems
    if (first !== undefined)
      throw serverError(problems.length === 1 ? first : `[${problems.join(', ')}]`)
  }

  /**
   * Updates the owners of a pod's claims by the retention policy.
   * @returns whether an owner changed
   */
  private async settleClaims(pod: Stored<Pod>, isCondemned: boolean): Promise<boolean> {
    const { client, claims } = this.context
    let changed = false
    if (!this.ownsClaims) return changed
    for (const given of claimsOf(this.set, ordinalOf(this.set, pod))) {
      const claim = claims.get(keyOf(given))
      if (claim === undefined) continue
      const settle = async (present: Stored<PersistentVolumeClaim>): Promise<boolean> => {
        const owners = claimOwners(this.set, pod, present, isCondemned)
        if (equalJson(owners, present.metadata.ownerReferences ?? [])) return false
        const { ownerReferences: _, ...rest } = draftOf(present).metadata
        await client.update({
          ...draftOf(present),
          metadata: { ...rest, ...(owners.length > 0 && { ownerReferences: owners }) },
        })
        return true
      }
      // The binder can update a new claim at the same time.
      const done = settle(claim).catch(async (error: unknown) => {
        if (!isConflict(error)) throw error
        return settle(await client.get<PersistentVolumeClaim>(given))
      })
      changed = (await done) || changed
    }
    return changed
  }

  private deletePod(pod: Stored<Pod>): Promise<void> {
    return this.withEvent('delete', pod.metadata.name, () => this.context.client.delete(pod))
  }

  /**
   * Writes the status. It counts pods as they were at the start of the sync; changes of this sync
   * show in the next status. Recorded from kube-controller-manager 1.31.
   */
  private async writeStatus(own: Stored<Pod>[]): Promise<void> {
    const { client, sets } = this.context
    const set = sets.get(keyOf(this.set))
    if (set === undefined || set.metadata.uid !== this.set.metadata.uid) return
    const status = this.statusOf(own)
    if (equalJson(status, set.status)) return
    try {
      await client.update({ ...draftOf(set), status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  private statusOf(own: Stored<Pod>[]): StatefulSetStatus {
    const current = this.current?.metadata.name ?? ''
    const update = this.update?.metadata.name ?? ''
    const living = own.filter((pod) => !isTerminating(pod))
    const counts = {
      replicas: own.length,
      readyReplicas: own.filter(runsReady).length,
      availableReplicas: own.filter((pod) => this.available(pod)).length,
      currentReplicas: living.filter((pod) => revisionOf(pod) === current).length,
      updatedReplicas: living.filter((pod) => revisionOf(pod) === update).length,
    }
    const complete =
      this.set.spec?.updateStrategy?.type === 'RollingUpdate' &&
      counts.updatedReplicas === counts.replicas &&
      counts.readyReplicas === counts.replicas &&
      counts.replicas === this.size
    if (complete) counts.currentReplicas = counts.updatedReplicas
    counts.currentReplicas -= this.replaced
    const { readyReplicas, currentReplicas, updatedReplicas } = counts
    return {
      ...(this.set.metadata.generation && { observedGeneration: this.set.metadata.generation }),
      replicas: counts.replicas,
      ...(readyReplicas > 0 && { readyReplicas }),
      ...(currentReplicas > 0 && { currentReplicas }),
      ...(updatedReplicas > 0 && { updatedReplicas }),
      currentRevision: complete ? update : current,
      updateRevision: update,
      collisionCount: this.collisionCount,
      availableReplicas: counts.availableReplicas,
    }
  }

  /** Deletes revisions beyond `revisionHistoryLimit`, except those that pods use. */
  private async cleanUp(known: Revision[], own: Stored<Pod>[]): Promise<void> {
    const used = new Set([
      this.current?.metadata.name,
      this.update?.metadata.name,
      ...own.map(revisionOf),
    ])
    const unused = known.filter(({ metadata }) => !used.has(metadata.name))
    const tooMany = unused.length - (this.set.spec?.revisionHistoryLimit ?? 10)
    for (const revision of unused.slice(0, Math.max(0, tooMany)))
      await this.context.client.delete(revision)
  }
}
