/** Pods: defaults, the state they begin in, and how they go. */
import { isJsonObject, type JsonObject, type KubeObject } from '../../object'
import { qosClassOf } from '../rules/pod-qos'
import type { Strategy } from '../strategy'
import { defaultPodOnly, defaultPodSpec } from './pod-defaults'

interface Pod extends KubeObject {
  spec?: JsonObject
  status?: { phase?: string; podIPs?: { ip?: string }[]; podIP?: string; nominatedNodeName?: string }
}

const FINISHED = new Set(['Succeeded', 'Failed'])

export const podStrategy: Strategy = {
  serverOwned: ['status'],
  defaults(object) {
    const { spec } = object as Pod
    if (!isJsonObject(spec)) return
    defaultPodSpec(spec)
    defaultPodOnly(spec)
  },
  prepareForCreate(object) {
    const pod = object as Pod
    pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec ?? {}) } as Pod['status']
  },
  /** A pod that no node runs, or that has ended, goes at once. */
  gracePeriodSeconds(object, requested) {
    const pod = object as Pod
    if (!pod.spec?.nodeName || FINISHED.has(pod.status?.phase ?? '')) return 0
    const own = typeof pod.spec.terminationGracePeriodSeconds === 'number' ? pod.spec.terminationGracePeriodSeconds : 30
    const wanted = requested ?? own
    return wanted < 0 ? 1 : wanted
  },
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
      object.metadata.deletionTimestamp = old.metadata.deletionTimestamp
      object.metadata.ownerReferences = old.metadata.ownerReferences
    },
  },
}
