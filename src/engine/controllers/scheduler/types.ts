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
  /** Whether preemption cannot help. */
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
  /** A selector of pods with the same services and controller; empty if there are none. */
  kin: LabelSelector
  /** Whether this is the present state of a node; preemption evaluates changed states. */
  isPresent(state: NodeState): boolean
  /** The present state of the node of a changed one; undefined for another node. */
  presentOf(state: NodeState): NodeState | undefined
  /** @returns the cached result of `compute` for the name, once per pod */
  once<Value>(name: string, compute: () => Value): Value
}
export interface VolumePlan {
  /** Why no node fits (PreFilter status). */
  problem: string | undefined
  /** The plugin of that status. */
  problemBy: 'VolumeRestrictions' | 'VolumeBinding'
  filter(state: NodeState): FilterStatus | undefined
  /**
   * Reserves volumes for claims that wait for a node.
   * @returns whether all claims are bound already
   */
  bind(client: Client, state: NodeState): Promise<boolean>
}
