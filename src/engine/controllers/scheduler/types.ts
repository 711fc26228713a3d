/** What may have something against a node. */

import type { Pod } from 'kubernetes-types/core/v1'
import type { LabelSelector } from '../../selectors/labels'
import type { Client } from '../runtime/client'
import type { Stored } from '../runtime/stored'
import type { NodeState } from './cluster'

export type Plugin =
  | 'NodeUnschedulable'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeRestrictions'
  | 'VolumeBinding'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
export interface Refusal {
  reasons: string[]
  /** Taking other pods away would not help. */
  final: boolean
  /** Who refuses. */
  by?: Plugin
}
/** What is known of a pod before any node is looked at. */

export interface Scheduling {
  pod: Stored<Pod>
  nodes: NodeState[]
  volumes: VolumePlan
  /** The labels of a namespace, for selectors of namespaces. */
  labelsOfNamespace(name: string): Record<string, string>
  /** Which pods are of the same services and controller; none are if empty. */
  kin: LabelSelector
  /** Whether this is the state of a node as it is; preemption asks for states as they would be. */
  isPresent(state: NodeState): boolean
  /** @returns what `compute` returned for this name first: per pod, not per node */
  once<Value>(name: string, compute: () => Value): Value
}
export interface VolumePlan {
  /** Why the pod can be nowhere: asked before any node is looked at. */
  problem: string | undefined
  /** Who says so. */
  problemBy: 'VolumeRestrictions' | 'VolumeBinding'
  refusal(state: NodeState): Refusal | undefined
  /** Promises volumes to the claims that wait for a node. @returns whether all claims are bound already */
  bind(client: Client, state: NodeState): Promise<boolean>
}
