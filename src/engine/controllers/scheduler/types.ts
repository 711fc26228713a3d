/** The filter plugins of the default profile. */

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
export interface FilterStatus {
  reasons: string[]
  /** Taking other pods away would not help. */
  final: boolean
  /** The plugin that rejected the node. */
  by?: Plugin
}
/** The cycle state of a pod, computed before nodes are filtered. */

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
  /** Why no node fits (PreFilter status). */
  problem: string | undefined
  /** The plugin of that status. */
  problemBy: 'VolumeRestrictions' | 'VolumeBinding'
  refusal(state: NodeState): FilterStatus | undefined
  /** Promises volumes to the claims that wait for a node. @returns whether all claims are bound already */
  bind(client: Client, state: NodeState): Promise<boolean>
}
