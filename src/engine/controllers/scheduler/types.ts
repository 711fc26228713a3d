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
  /** Preemption cannot help. */
  final: boolean
  by?: Plugin
}
/** Computed before nodes are filtered. */

export interface Scheduling {
  pod: Stored<Pod>
  nodes: NodeState[]
  volumes: VolumePlan
  labelsOfNamespace(name: string): Record<string, string>
  /** Pods of the same services and controller; empty: none. */
  kin: LabelSelector
  /** False for states that preemption changed. */
  isPresent(state: NodeState): boolean
  /** Current state of the same node. */
  presentOf(state: NodeState): NodeState | undefined
  /** Computes once per pod and name. */
  once<Value>(name: string, compute: () => Value): Value
}
export interface VolumePlan {
  /** Why no node fits (PreFilter). */
  problem: string | undefined
  problemBy: 'VolumeRestrictions' | 'VolumeBinding'
  filter(state: NodeState): FilterStatus | undefined
  /** @returns whether all claims are bound already */
  bind(client: Client, state: NodeState): Promise<boolean>
}
