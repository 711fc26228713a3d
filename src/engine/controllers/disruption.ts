/** Tells in the status of every disruption budget how many of its pods may be disturbed now (recorded: cluster-policies). */

import type { Pod } from 'kubernetes-types/core/v1'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1'
import { timestamp } from '../environment'
import { draftOf, equalJson, type OwnerReference } from '../object'
import { matchesLabels } from '../selectors/labels'
import { isNotFound } from './runtime/client'
import type { Informer } from './runtime/informer'
import type { Controller, Manager } from './runtime/manager'
import { keyOf, type Stored } from './runtime/stored'
import { resolved } from './shared/int-or-percent'
import { controllerOf } from './shared/ownership'
import { isReady } from './shared/pods'
import { requirementsOf } from './shared/selectors'

const NAME = 'disruption-controller'
/** A pod that was to be evicted and is still there after so long stays. */
const PATIENCE_MILLISECONDS = 120_000

export const disruption: Controller = {
  name: NAME,
  run(manager) {
    const budgets = manager.informer<PodDisruptionBudget>('policy', 'poddisruptionbudgets')
    const pods = manager.informer<Pod>('', 'pods')
    const sizes = new Sizes(manager)
    const client = manager.client(NAME)
    const recorder = manager.recorder(client, 'controllermanager')
    const queue = manager.queue(NAME, async (key) => {
      const budget = budgets.get(key)
      if (budget === undefined) return
      const own = selected(budget, [...pods.list(budget.metadata.namespace)])
      if (own.length === 0) recorder.event(budget, 'Normal', 'NoPods', 'No matching pods found')
      const disrupted = stillDisrupted(budget, own, manager.now())
      if (disrupted.recheck !== undefined) queue.addAfter(key, disrupted.recheck)
      const status = statusOf(budget, own, { disrupted: disrupted.pods, sizes, now: manager.now() })
      if (equalJson(status, budget.status)) return
      try {
        await client.update({ ...draftOf(budget), status }, 'status')
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    })
    const addSelecting = (pod: Stored<Pod>) => {
      for (const budget of budgets.list(pod.metadata.namespace)) if (selected(budget, [pod]).length > 0) queue.add(keyOf(budget))
    }
    budgets.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    pods.onChange(({ object, previous }) => {
      addSelecting(object)
      if (previous && !equalJson(previous.metadata.labels, object.metadata.labels)) addSelecting(previous)
    })
    sizes.onChange((namespace) => {
      for (const budget of budgets.list(namespace)) queue.add(keyOf(budget))
    })
  },
}

function selected(budget: Stored<PodDisruptionBudget>, pods: Stored<Pod>[]): Stored<Pod>[] {
  const selector = requirementsOf(budget.spec?.selector)
  return selector === undefined ? [] : pods.filter(({ metadata }) => matchesLabels(selector, metadata.labels))
}

/** What wants a number of pods. */
interface Sized {
  spec?: { replicas?: number }
}

/** How many pods their controllers want. */
class Sizes {
  private readonly kinds: Record<string, Informer<Sized>>

  constructor(manager: Manager) {
    this.kinds = {
      ReplicationController: manager.informer<Sized>('', 'replicationcontrollers'),
      ReplicaSet: manager.informer<Sized>('apps', 'replicasets'),
      StatefulSet: manager.informer<Sized>('apps', 'statefulsets'),
      Deployment: manager.informer<Sized>('apps', 'deployments'),
    }
  }

  onChange(changed: (namespace: string) => void): void {
    for (const informer of Object.values(this.kinds)) {
      informer.onChange(({ object, previous }) => {
        if (object.spec?.replicas !== previous?.spec?.replicas) changed(object.metadata.namespace ?? '')
      })
    }
  }

  /** Of all controllers of the pods together, each once. Pods without one count for nothing. */
  ofAll(pods: Stored<Pod>[]): number {
    const sizes = new Map<string, number>()
    for (const pod of pods) {
      const owner = controllerOf(pod)
      if (owner) for (const [uid, size] of this.ofOwner(pod.metadata.namespace ?? '', owner)) sizes.set(uid, size)
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0)
  }

  private ofOwner(namespace: string, { kind, name, uid }: OwnerReference): [string, number][] {
    const owner = this.kinds[kind]?.get(`${namespace}/${name}`)
    if (owner === undefined || owner.metadata.uid !== uid) return []
    const above = kind === 'ReplicaSet' ? controllerOf(owner) : undefined
    const deployment = above?.kind === 'Deployment' ? this.ofOwner(namespace, above) : []
    return deployment.length > 0 ? deployment : [[uid, owner.spec?.replicas ?? 1]]
  }
}

/** Pods whose eviction was granted and that are not gone yet. */
function stillDisrupted(
  budget: Stored<PodDisruptionBudget>,
  pods: Stored<Pod>[],
  now: number,
): { pods: Record<string, string>; recheck?: number } {
  const left: Record<string, string> = {}
  let recheck: number | undefined
  for (const [name, time] of Object.entries(budget.status?.disruptedPods ?? {})) {
    const pod = pods.find(({ metadata }) => metadata.name === name)
    const wait = Date.parse(time) + PATIENCE_MILLISECONDS - now
    if (pod === undefined || pod.metadata.deletionTimestamp || wait <= 0) continue
    left[name] = time
    recheck = Math.min(recheck ?? wait, wait)
  }
  return { pods: left, ...(recheck !== undefined && { recheck }) }
}

function statusOf(
  budget: Stored<PodDisruptionBudget>,
  pods: Stored<Pod>[],
  { disrupted, sizes, now }: { disrupted: Record<string, string>; sizes: Sizes; now: number },
) {
  const { minAvailable, maxUnavailable } = budget.spec ?? {}
  let expectedPods = pods.length
  let desiredHealthy = 0
  if (maxUnavailable !== undefined) {
    expectedPods = sizes.ofAll(pods)
    desiredHealthy = Math.max(0, expectedPods - resolved(maxUnavailable, expectedPods, 'up'))
  } else if (typeof minAvailable === 'string') {
    expectedPods = sizes.ofAll(pods)
    desiredHealthy = resolved(minAvailable, expectedPods, 'up')
  } else desiredHealthy = minAvailable ?? 1
  const healthy = pods.filter((pod) => !pod.metadata.deletionTimestamp && !disrupted[pod.metadata.name ?? ''] && isReady(pod))
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, healthy.length - desiredHealthy)
  const observedGeneration = budget.metadata.generation ?? 0
  return {
    ...(observedGeneration > 0 && { observedGeneration }),
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
    disruptionsAllowed,
    currentHealthy: healthy.length,
    desiredHealthy,
    expectedPods,
    conditions: [allowedCondition(budget, disruptionsAllowed > 0, now)],
  }
}

function allowedCondition(budget: Stored<PodDisruptionBudget>, allowed: boolean, now: number) {
  const status = allowed ? 'True' : 'False'
  const before = budget.status?.conditions?.find(({ type }) => type === 'DisruptionAllowed')
  return {
    type: 'DisruptionAllowed',
    status,
    observedGeneration: budget.metadata.generation ?? 0,
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : timestamp(now),
    reason: allowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  }
}
