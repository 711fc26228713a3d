import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1'
import type { CronJob, Job } from 'kubernetes-types/batch/v1'
import type { KubeObject } from '../../../engine/core/object'
import { completions, jobStatus } from '../../../engine/encoding/tables/workloads'
import {
  conditionOf,
  current,
  failed,
  type Health,
  inProgress,
  isStale,
  isTrue,
  none,
  reasonOf,
} from './health'
import { HEALTH } from './texts'

/** In the order of `kubectl rollout status`. */
export function deployment(object: KubeObject): Health {
  const { spec, status } = object as KubeObject & Deployment
  const wanted = spec?.replicas ?? 1
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {}
  const text = HEALTH.ready(status?.readyReplicas ?? 0, wanted)
  const progressing = conditionOf(object, 'Progressing')
  const failure = conditionOf(object, 'ReplicaFailure')
  if (failure?.status === 'True') return failed(text, reasonOf(failure))
  if (progressing?.status === 'False') return failed(text, reasonOf(progressing))
  if (spec?.paused) return none(text, HEALTH.paused)
  if (isStale(object) || status?.observedGeneration === undefined)
    return inProgress(text, HEALTH.notObserved)
  if (updatedReplicas < wanted) return inProgress(text, HEALTH.updated(updatedReplicas, wanted))
  if (replicas > updatedReplicas) return inProgress(text, HEALTH.old(replicas - updatedReplicas))
  if (availableReplicas < wanted)
    return inProgress(text, HEALTH.available(availableReplicas, wanted))
  return wanted === 0 ? none(text) : current(text)
}

export function replicaSet(object: KubeObject): Health {
  const { spec, status } = object as KubeObject & ReplicaSet
  const wanted = spec?.replicas ?? 1
  const ready = status?.readyReplicas ?? 0
  const text = HEALTH.ready(ready, wanted)
  const failure = conditionOf(object, 'ReplicaFailure')
  if (failure?.status === 'True') return failed(text, reasonOf(failure))
  if (isStale(object) || ready !== wanted || (status?.replicas ?? 0) !== wanted)
    return inProgress(text, isStale(object) ? HEALTH.notObserved : '')
  return wanted === 0 ? none(text) : current(text)
}

export function statefulSet(object: KubeObject): Health {
  const { spec, status } = object as KubeObject & StatefulSet
  const wanted = spec?.replicas ?? 1
  const { readyReplicas = 0, replicas = 0, updatedReplicas = 0 } = status ?? {}
  const text = HEALTH.ready(readyReplicas, wanted)
  if (isStale(object) || status?.observedGeneration === undefined)
    return inProgress(text, HEALTH.notObserved)
  const updates = spec?.updateStrategy?.type !== 'OnDelete'
  const kept = spec?.updateStrategy?.rollingUpdate?.partition ?? 0
  const updated = Math.max(0, wanted - kept)
  if (updates && status?.updateRevision !== status?.currentRevision && updatedReplicas < updated)
    return inProgress(text, HEALTH.updated(updatedReplicas, updated))
  if (readyReplicas !== wanted || replicas !== wanted) return inProgress(text)
  return wanted === 0 ? none(text) : current(text)
}

export function daemonSet(object: KubeObject): Health {
  const { spec, status } = object as KubeObject & DaemonSet
  const wanted = status?.desiredNumberScheduled ?? 0
  const updated = status?.updatedNumberScheduled ?? 0
  const text = HEALTH.ready(status?.numberReady ?? 0, wanted)
  if (isStale(object) || status?.observedGeneration === undefined)
    return inProgress(text, HEALTH.notObserved)
  if (spec?.updateStrategy?.type !== 'OnDelete' && updated < wanted)
    return inProgress(text, HEALTH.updated(updated, wanted))
  if ((status?.numberAvailable ?? 0) < wanted)
    return inProgress(text, HEALTH.available(status?.numberAvailable ?? 0, wanted))
  return wanted === 0 ? none(text) : current(text)
}

export function job(object: KubeObject): Health {
  const word = jobStatus(object as KubeObject & Job)
  const text = `${word} ${completions(object as KubeObject & Job)}`
  if (word === 'Complete') return current(text)
  if (word === 'Suspended') return none(text)
  if (word === 'Failed' || word === 'FailureTarget')
    return failed(text, reasonOf(conditionOf(object, word)))
  const tried = (object as KubeObject & Job).status?.failed ?? 0
  return inProgress(text, tried > 0 ? HEALTH.failedPods(tried) : '')
}

export function cronJob(object: KubeObject): Health {
  const { spec, status } = object as KubeObject & CronJob
  const active = status?.active?.length ?? 0
  if (spec?.suspend) return none(HEALTH.suspended)
  return active > 0 ? current(HEALTH.active(active)) : none(HEALTH.active(0))
}

export function autoscaler(object: KubeObject): Health {
  const { status } = object as KubeObject & { status?: { currentReplicas?: number } }
  const text = HEALTH.replicas(status?.currentReplicas ?? 0)
  const broken = ['AbleToScale', 'ScalingActive']
    .map((type) => conditionOf(object, type))
    .find((condition) => condition?.status === 'False')
  // Zero replicas disable scaling on purpose.
  if (broken?.reason === 'ScalingDisabled') return none(text, reasonOf(broken))
  if (broken) return failed(text, reasonOf(broken))
  return isTrue(object, 'ScalingActive') ? current(text) : inProgress(text)
}

export function disruptionBudget(object: KubeObject): Health {
  const { status } = object as KubeObject & {
    status?: { disruptionsAllowed?: number; currentHealthy?: number; desiredHealthy?: number }
  }
  if (status?.currentHealthy === undefined) return inProgress('', HEALTH.notObserved)
  const { disruptionsAllowed = 0, currentHealthy, desiredHealthy = 0 } = status
  const text = HEALTH.disruptions(disruptionsAllowed)
  return currentHealthy < desiredHealthy
    ? inProgress(text, HEALTH.healthy(currentHealthy, desiredHealthy))
    : current(text)
}
