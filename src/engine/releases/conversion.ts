/** Kinds that are served in several versions, or by several groups, and stored in one: the hub. */
import type { KubeObject } from '../object'
import { horizontalPodAutoscalerV1 } from './conversions/autoscaler'
import { eventsV1 } from './conversions/event'
import { flowcontrolV1beta3 } from './conversions/flowcontrol'
import { sameAs } from './conversions/renamed'

/** How one version of a kind relates to the stored one. Neither function changes its argument; what is unchanged may be shared. */
export interface Conversion {
  /** The stored version. */
  hub: { group: string; version: string }
  /** @param object decoded, in the served version, with its defaults */
  toHub(object: KubeObject): KubeObject
  /** @param object in the stored version. @returns members in any order */
  fromHub(object: KubeObject): KubeObject
}

/** Kinds with versions that are only named otherwise: group, kind, stored version and the others. */
const RENAMED: [group: string, kind: string, hub: string, served: string[]][] = [
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'v1', ['v1beta1', 'v1alpha1']],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicyBinding', 'v1', ['v1beta1', 'v1alpha1']],
  ['storage.k8s.io', 'VolumeAttributesClass', 'v1beta1', ['v1alpha1']],
]

const CONVERSIONS: Record<string, Conversion> = {
  ...Object.fromEntries(
    RENAMED.flatMap(([group, kind, hub, versions]) => versions.map((served) => [`${group}/${served} ${kind}`, sameAs(group, hub, served)])),
  ),
  'autoscaling/v1 HorizontalPodAutoscaler': horizontalPodAutoscalerV1,
  'events.k8s.io/v1 Event': eventsV1,
  'flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration': flowcontrolV1beta3,
  'flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema': flowcontrolV1beta3,
}

/** @returns undefined where the version is the stored one, or its objects differ from the stored ones in nothing but the name */
export function conversionOf(apiVersion: string, kind: string): Conversion | undefined {
  return CONVERSIONS[`${apiVersion} ${kind}`]
}
