/** Defaults of workloads. Recorded from kube-apiserver 1.31. */

import { isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import type { Engine } from '../../registry/engine'
import { defaultClaimSpec, defaultTemplate, fill } from '../core/pod-defaults'

const QUARTER = '25%'

function specOf(object: KubeObject): JsonObject {
  if (!isJsonObject(object.spec as JsonObject)) object.spec = {}
  return object.spec as JsonObject
}

export function defaultDeployment(object: KubeObject): void {
  const spec = specOf(object)
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })
  const strategy = isJsonObject(spec.strategy) ? spec.strategy : {}
  spec.strategy = strategy
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy.type === 'RollingUpdate') {
    const rolling = isJsonObject(strategy.rollingUpdate) ? strategy.rollingUpdate : {}
    strategy.rollingUpdate = rolling
    rolling.maxUnavailable ??= QUARTER
    rolling.maxSurge ??= QUARTER
  }
  defaultTemplate(specTemplate(spec))
}

function specTemplate(spec: JsonObject): JsonObject {
  if (!isJsonObject(spec.template)) spec.template = {}
  return spec.template as JsonObject
}

/** Only if the object has no labels. */
export function labelsFromTemplate(object: KubeObject, spec: JsonObject): void {
  const template = spec.template
  const labels =
    isJsonObject(template) && isJsonObject(template.metadata) ? template.metadata.labels : undefined
  if (isJsonObject(labels) && Object.keys(object.metadata.labels ?? {}).length === 0)
    object.metadata.labels = { ...(labels as Record<string, string>) }
}

export function defaultReplicaSet(object: KubeObject): void {
  const spec = specOf(object)
  fill(spec, { replicas: 1 })
  defaultTemplate(specTemplate(spec))
}

export function defaultReplicationController(object: KubeObject): void {
  const spec = specOf(object)
  fill(spec, { replicas: 1 })
  const template = spec.template
  const labels =
    isJsonObject(template) && isJsonObject(template.metadata) ? template.metadata.labels : undefined
  if (
    isJsonObject(labels) &&
    (!isJsonObject(spec.selector) || Object.keys(spec.selector).length === 0)
  )
    spec.selector = { ...labels }
  labelsFromTemplate(object, spec)
  defaultTemplate(template)
}

export function defaultDaemonSet(object: KubeObject): void {
  const spec = specOf(object)
  fill(spec, { revisionHistoryLimit: 10 })
  const strategy = isJsonObject(spec.updateStrategy) ? spec.updateStrategy : {}
  spec.updateStrategy = strategy
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy.type === 'RollingUpdate') {
    const rolling = isJsonObject(strategy.rollingUpdate) ? strategy.rollingUpdate : {}
    strategy.rollingUpdate = rolling
    rolling.maxUnavailable ??= 1
    rolling.maxSurge ??= 0
  } else if (isJsonObject(strategy.rollingUpdate)) {
    // Zero, since the internal type has no pointer.
    strategy.rollingUpdate.maxUnavailable ??= 0
    strategy.rollingUpdate.maxSurge ??= 0
  }
  defaultTemplate(specTemplate(spec))
}

/** @param gates compared with kube-apiserver 1.31 */
export function defaultStatefulSet(
  object: KubeObject,
  { MaxUnavailableStatefulSet, StatefulSetAutoDeletePVC }: Engine['featureGates'],
): void {
  const spec = specOf(object)
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: 'OrderedReady' })
  const strategy = isJsonObject(spec.updateStrategy) ? spec.updateStrategy : {}
  spec.updateStrategy = strategy
  if (!strategy.type) {
    strategy.type = 'RollingUpdate'
    if (!isJsonObject(strategy.rollingUpdate)) strategy.rollingUpdate = {}
  }
  // Without `rollingUpdate` no further defaults.
  if (strategy.type === 'RollingUpdate' && isJsonObject(strategy.rollingUpdate))
    fill(
      strategy.rollingUpdate,
      MaxUnavailableStatefulSet ? { partition: 0, maxUnavailable: 1 } : { partition: 0 },
    )
  if (StatefulSetAutoDeletePVC) {
    const retention = isJsonObject(spec.persistentVolumeClaimRetentionPolicy)
      ? spec.persistentVolumeClaimRetentionPolicy
      : {}
    spec.persistentVolumeClaimRetentionPolicy = retention
    fill(retention, { whenDeleted: 'Retain', whenScaled: 'Retain' })
  }
  for (const claim of Array.isArray(spec.volumeClaimTemplates)
    ? spec.volumeClaimTemplates.filter(isJsonObject)
    : []) {
    claim.apiVersion = 'v1'
    claim.kind = 'PersistentVolumeClaim'
    if (isJsonObject(claim.spec)) defaultClaimSpec(claim.spec)
    if (!isJsonObject(claim.status)) claim.status = {}
    fill(claim.status as JsonObject, { phase: 'Pending' })
  }
  defaultTemplate(specTemplate(spec))
}
