import { timestamp } from '../../core/environment'
import { isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import type { Strategy } from '../../registry/strategy'
import { forbiddenField } from '../../validation/field-errors'
import { qosClassOf } from '../../validation/pod-qos'
import { settleAppArmor } from './pod-apparmor'
import { defaultPodOnly, defaultPodSpec, dropInitContainerAnnotations } from './pod-defaults'
import { dropGatedPodMembers, withoutGatedStatus } from './pod-gates'
import { settleMatchLabelKeys } from './pod-label-keys'
import { defaultPodResources } from './pod-resource-defaults'
import { podStatusErrors } from './pod-status'
import type { Pod, PodSpec } from './pod-types'
import { podChangeErrors } from './pod-update'
import { profileAgreementErrors } from './pod-validation/annotations'
import { podValidationOptions } from './pod-validation/options'
import { podErrors } from './pod-validation/template'
import { podWarnings } from './pod-warnings'

const FINISHED = new Set(['Succeeded', 'Failed'])

/** On conflict `podIP` wins (kube-apiserver 1.31). */
function settleAddresses({ status }: Pod): void {
  if (!isJsonObject(status as JsonObject) || !status) return
  const first = status.podIPs?.[0]?.ip
  if (!status.podIP) {
    if (first) status.podIP = first
  } else if (first !== status.podIP) status.podIPs = [{ ip: status.podIP }]
}

/** Negative becomes one (kube-apiserver 1.31). */
function settleGracePeriod(spec: PodSpec): void {
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1
}

/** Old kubelets omit it when they reject a pod. */
function keepQosClass(pod: Pod, old: Pod): void {
  const before = old.status?.qosClass
  if (before === undefined || pod.status?.qosClass) return
  pod.status = { ...pod.status, qosClass: before }
}

export const podStrategy: Strategy = {
  behindGates: (_, changes) => (changes.has('PodGeneration') ? { generationFields: ['spec'] } : {}),
  serverOwned: ['status'],
  validatesAllOnUpdate: false,
  defaults(object) {
    const spec = object.spec as JsonObject
    settleAddresses(object as Pod)
    dropInitContainerAnnotations(object.metadata)
    if (!isJsonObject(spec)) return
    defaultPodSpec(spec)
    defaultPodOnly(spec)
  },
  prepareForCreate(object, context) {
    const { featureGates, tables } = context.engine
    const { changes } = tables
    const pod = object as Pod
    const spec = pod.spec ?? {}
    dropGatedPodMembers(context.engine, spec)
    defaultPodResources(spec)
    pod.status = { phase: 'Pending', qosClass: qosClassOf(spec) }
    if (spec.schedulingGates?.length) {
      const why = {
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      }
      pod.status.conditions = [
        {
          type: 'PodScheduled',
          status: 'False',
          lastProbeTime: null,
          lastTransitionTime: timestamp(context.clock.now()),
          ...why,
        },
      ]
    }
    settleGracePeriod(spec)
    settleMatchLabelKeys(spec, pod.metadata.labels ?? {}, featureGates)
    settleAppArmor(pod, context.warn, !changes.has('AppArmorFieldsNotAnnotated'))
  },
  prepareForUpdate(object, old, { engine }) {
    const pod = object as Pod
    settleGracePeriod(pod.spec ?? {})
    dropGatedPodMembers(engine, pod.spec, (old as Pod).spec)
    if (pod.status) pod.status = withoutGatedStatus(pod.status, engine.featureGates)
  },
  validate: (object, { engine }) => podErrors(object as Pod, podValidationOptions(engine)),
  validateNew(object) {
    const { metadata, spec = {} } = object as Pod
    const { ephemeralContainers, schedulingGates, nodeName } = spec
    const errors = ephemeralContainers?.length
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []
    if (schedulingGates?.length && nodeName)
      errors.push(
        forbiddenField(
          'spec.nodeName',
          'cannot be set until all schedulingGates have been cleared',
        ),
      )
    return [...errors, ...profileAgreementErrors(metadata.annotations, spec, 'spec')]
  },
  validateUpdate: (object, old, { engine }) => [
    ...podErrors(object as Pod, podValidationOptions(engine, old as Pod)),
    ...podChangeErrors(object as Pod, old as Pod, engine.tables),
  ],
  warningsOnCreate: (object, { engine }) => podWarnings(object as Pod, engine.tables.changes),
  /** Immediate if unassigned or finished. */
  gracePeriodSeconds(object, requested) {
    const { spec, status } = object as Pod
    if (!spec?.nodeName || FINISHED.has(status?.phase ?? '')) return 0
    const wanted = requested ?? spec.terminationGracePeriodSeconds ?? 30
    return wanted < 0 ? 1 : wanted
  },
  status: {
    prepareForUpdate(object: KubeObject, old, { engine }) {
      if (engine.tables.changes.has('PodQosClassKept')) keepQosClass(object as Pod, old as Pod)
      object.spec = old.spec
      object.metadata.deletionTimestamp = old.metadata.deletionTimestamp
      object.metadata.ownerReferences = old.metadata.ownerReferences
    },
    validateUpdate: (object, old, { engine }) =>
      podStatusErrors(object as Pod, old as Pod, engine.tables.changes, engine.featureGates),
  },
}
