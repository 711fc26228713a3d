/**
 * The ReplicaSet and ReplicationController controllers. Recorded from kube-controller-manager 1.31.
 */

import type { ReplicaSet, ReplicaSetCondition, ReplicaSetStatus } from 'kubernetes-types/apps/v1'
import type { Pod, ReplicationController } from 'kubernetes-types/core/v1'
import { timestamp } from '../core/environment'
import { draftOf, entryOf, equalJson, type KubeObject } from '../core/object'
import { ApiError } from '../http/status'
import { type LabelSelector, matchesLabels, selectorOf } from '../selectors/labels'
import { type Client, isNotFound } from './runtime/client'
import type { Recorder } from './runtime/events'
import type { Informer } from './runtime/informer'
import type { Controller, Manager } from './runtime/manager'
import { keyOf, type Stored } from './runtime/stored'
import { claimed, controllerOf } from './shared/ownership'
import { each, makePod, removePod, slowStartBatch } from './shared/pod-control'
import { inOrderOfDeletion } from './shared/pod-ranks'
import { hasEnded, isActive, isAvailable, isReady, nextAvailable, podFrom } from './shared/pods'
import { requirementsOf } from './shared/selectors'

type PodSet = ReplicaSet | ReplicationController

interface Variant {
  name: string
  account: string
  component: string
  group: string
  resource: string
  kind: string
  selectorOf(set: PodSet): LabelSelector | undefined
}

const REPLICA_SETS: Variant = {
  name: 'replicaset-controller',
  account: 'replicaset-controller',
  component: 'replicaset-controller',
  group: 'apps',
  resource: 'replicasets',
  kind: 'ReplicaSet',
  selectorOf: ({ spec }) => requirementsOf((spec as ReplicaSet['spec'])?.selector),
}

const REPLICATION_CONTROLLERS: Variant = {
  name: 'replicationcontroller-controller',
  account: 'replication-controller',
  component: 'replication-controller',
  group: '',
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  selectorOf: ({ spec }) =>
    selectorOf({ matchLabels: (spec as ReplicationController['spec'])?.selector ?? {} }),
}

export const replicaSets: Controller = {
  name: REPLICA_SETS.name,
  run: (manager) => run(manager, REPLICA_SETS),
}
export const replicationControllers: Controller = {
  name: REPLICATION_CONTROLLERS.name,
  run: (manager) => run(manager, REPLICATION_CONTROLLERS),
}

/** Pods created or deleted per sync. */
const BURST = 500

interface Context {
  manager: Manager
  variant: Variant
  client: Client
  recorder: Recorder
  pods: Informer<Pod>
  sets: Informer<PodSet>
}

function run(manager: Manager, variant: Variant): void {
  const client = manager.client(variant.account)
  const pods = manager.informer<Pod>('', 'pods')
  const sets = manager.informer<PodSet>(variant.group, variant.resource)
  const context: Context = {
    manager,
    variant,
    client,
    recorder: manager.recorder(client, variant.component),
    pods,
    sets,
  }
  const queue = manager.queue(variant.name, async (key) => {
    const again = await sync(context, key)
    if (again !== undefined) queue.addAfter(key, again)
  })
  sets.onChange(({ key, type }) => type !== 'DELETED' && queue.add(key))
  pods.onChange(({ type, object, previous }) => {
    const owners = [object, previous].map((pod) => pod && ownerKey(pod, variant))
    for (const key of owners) if (key !== undefined) queue.add(key)
    if (type === 'DELETED' || controllerOf(object) !== undefined) return
    for (const set of sets.list(object.metadata.namespace)) {
      const selector = variant.selectorOf(set)
      if (selector?.length && matchesLabels(selector, object.metadata.labels)) queue.add(keyOf(set))
    }
  })
}

function ownerKey(pod: KubeObject, { kind }: Variant): string | undefined {
  const owner = controllerOf(pod)
  return owner?.kind === kind ? `${pod.metadata.namespace}/${owner.name}` : undefined
}

/** @returns milliseconds until the next sync; undefined: on changes only */
async function sync(context: Context, key: string): Promise<number | undefined> {
  const { manager, variant, client, pods } = context
  const set = context.sets.get(key)
  const selector = set && variant.selectorOf(set)
  if (set === undefined || selector === undefined || selector.length === 0) return undefined
  const candidates = [...pods.list(set.metadata.namespace)].filter(isActive)
  const mine = await claimed<Pod>(
    { client, owner: set, selector, adopts: (pod) => !hasEnded(pod as Pod) },
    candidates,
  )
  let failure: Failure | undefined
  if (!set.metadata.deletionTimestamp) failure = await manage(context, set, mine)
  // The status omits this sync's pod changes; their events trigger another sync.
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  await writeStatus(context, set, mine, failure)
  if (failure !== undefined) throw failure.error
  return nextAvailable(mine, minReadySeconds, manager.now())
}

interface Failure {
  reason: 'FailedCreate' | 'FailedDelete'
  error: unknown
}

async function manage(
  context: Context,
  set: Stored<PodSet>,
  mine: Stored<Pod>[],
): Promise<Failure | undefined> {
  const missing = (set.spec?.replicas ?? 0) - mine.length
  try {
    if (missing > 0) {
      const wanted = Array.from({ length: Math.min(missing, BURST) }, () => set)
      await slowStartBatch(wanted, () => makePod(context, set, podFrom(set.spec?.template, set)))
    } else if (missing < 0) {
      const { manager } = context
      const surplus = inOrderOfDeletion(
        mine,
        relatedPods(context, set),
        manager.now(),
        manager.engine.featureGates.PodDeletionCost === true,
      ).slice(0, Math.min(-missing, BURST))
      await each(surplus, (pod) => removePod(context, set, pod))
    }
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { reason: missing > 0 ? 'FailedCreate' : 'FailedDelete', error }
  }
}

/** Includes other ReplicaSets of the Deployment, for colocation. */
function relatedPods({ pods, sets }: Context, set: Stored<PodSet>): Stored<Pod>[] {
  const owner = controllerOf(set)?.uid
  const family = new Set([set.metadata.uid])
  if (owner !== undefined)
    for (const other of sets.list(set.metadata.namespace))
      if (controllerOf(other)?.uid === owner) family.add(other.metadata.uid)
  return [...pods.list(set.metadata.namespace)].filter(
    (pod) => isActive(pod) && family.has(controllerOf(pod)?.uid),
  )
}

async function writeStatus(
  { manager, client, sets }: Context,
  given: Stored<PodSet>,
  mine: Stored<Pod>[],
  failure: Failure | undefined,
): Promise<void> {
  const set = sets.get(keyOf(given))
  if (set === undefined || set.metadata.uid !== given.metadata.uid) return
  const status = statusOf(set, mine, failure, manager.now())
  if (equalJson(status, set.status ?? {})) return
  const draft = draftOf(set) as Stored<PodSet>
  try {
    await client.update({ ...draft, status }, 'status')
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function statusOf(
  set: Stored<PodSet>,
  mine: Stored<Pod>[],
  failure: Failure | undefined,
  now: number,
): ReplicaSetStatus {
  const wanted = Object.entries(set.spec?.template?.metadata?.labels ?? {})
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  const labelled = mine.filter(({ metadata }) =>
    wanted.every(([name, value]) => entryOf(metadata.labels, name) === value),
  ).length
  const ready = mine.filter(isReady).length
  const available = mine.filter((pod) => isAvailable(pod, minReadySeconds, now)).length
  const conditions = failureCondition(
    (set.status?.conditions ?? []) as ReplicaSetCondition[],
    failure,
    now,
  )
  return {
    replicas: mine.length,
    ...(labelled > 0 && { fullyLabeledReplicas: labelled }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    ...(set.metadata.generation && { observedGeneration: set.metadata.generation }),
    ...(conditions.length > 0 && { conditions }),
  }
}

function failureCondition(
  present: ReplicaSetCondition[],
  failure: Failure | undefined,
  now: number,
): ReplicaSetCondition[] {
  const others = present.filter(({ type }) => type !== 'ReplicaFailure')
  if (failure === undefined) return others
  const known = present.find(({ type }) => type === 'ReplicaFailure')
  if (known) return present
  const { reason, error } = failure
  const message = error instanceof Error ? error.message : String(error)
  return [
    ...others,
    { type: 'ReplicaFailure', status: 'True', lastTransitionTime: timestamp(now), reason, message },
  ]
}
