/** Pods that are to be spread over places (public documentation, "Pod Topology Spread Constraints"). */

import type { Pod, TopologySpreadConstraint } from 'kubernetes-types/core/v1'
import { matchesLabels } from '../../selectors/labels'
import type { Stored } from '../runtime/stored'
import { allowsNode } from '../shared/node-affinity'
import { requirementsOf } from '../shared/selectors'
import { taintsOf, untolerated } from '../shared/taints'
import type { NodeState } from './cluster'
import type { Refusal, Scheduling } from './filters'

const constraintsOf = ({ spec }: Stored<Pod>, when: string): TopologySpreadConstraint[] =>
  (spec?.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when)

export function spreadProblem(scheduling: Scheduling, state: NodeState): Refusal | undefined {
  const labels = state.node.metadata.labels ?? {}
  for (const constraint of constraintsOf(scheduling.pod, 'DoNotSchedule')) {
    const place = labels[constraint.topologyKey]
    if (place === undefined) {
      return { reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"], final: true }
    }
    const counts = countsOf(scheduling, constraint, state)
    const own = selfMatches(scheduling.pod, constraint) ? 1 : 0
    const fewPlaces = counts.size < (constraint.minDomains ?? 1)
    const least = fewPlaces || counts.size === 0 ? 0 : Math.min(...counts.values())
    if ((counts.get(place) ?? 0) + own - least > constraint.maxSkew) {
      return { reasons: ["node(s) didn't match pod topology spread constraints"], final: false }
    }
  }
  return undefined
}

/** How crowded the node's places are already: the less, the better. */
export function crowding(scheduling: Scheduling, state: NodeState): number {
  const labels = state.node.metadata.labels ?? {}
  return constraintsOf(scheduling.pod, 'ScheduleAnyway').reduce((sum, constraint) => {
    const place = labels[constraint.topologyKey]
    return sum + (place === undefined ? 0 : (countsOf(scheduling, constraint, state).get(place) ?? 0) / constraint.maxSkew)
  }, 0)
}

/** Matching pods by place, of all nodes that count: those that lack a place of any of the pod's constraints do not. */
function countsOf({ pod, nodes }: Scheduling, constraint: TopologySpreadConstraint, state: NodeState): Map<string, number> {
  const counts = new Map<string, number>()
  const selector = selectorWithKeys(pod, constraint)
  const keys = constraintsOf(pod, constraint.whenUnsatisfiable).map(({ topologyKey }) => topologyKey)
  for (const other of nodes) {
    const { node, pods } = other.node.metadata.uid === state.node.metadata.uid ? state : other
    const place = node.metadata.labels?.[constraint.topologyKey]
    if (place === undefined || !keys.every((key) => node.metadata.labels?.[key] !== undefined) || !isCounted(pod, constraint, other))
      continue
    const matching = pods.filter(
      ({ metadata }) =>
        metadata.namespace === pod.metadata.namespace &&
        !metadata.deletionTimestamp &&
        selector &&
        matchesLabels(selector, metadata.labels),
    )
    counts.set(place, (counts.get(place) ?? 0) + matching.length)
  }
  return counts
}

/** Nodes that the pod could not be on do not count, as far as the constraint says so. */
function isCounted(
  pod: Stored<Pod>,
  { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: TopologySpreadConstraint,
  { node }: NodeState,
): boolean {
  if (nodeAffinityPolicy === 'Honor' && !allowsNode(pod, node)) return false
  return nodeTaintsPolicy !== 'Honor' || untolerated(taintsOf(node), pod.spec?.tolerations ?? [], ['NoSchedule', 'NoExecute']) === undefined
}

function selectorWithKeys(pod: Stored<Pod>, { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint) {
  const selector = requirementsOf(labelSelector)
  const keys = matchLabelKeys.flatMap((key) => {
    const value = pod.metadata.labels?.[key]
    return value === undefined ? [] : [{ key, operator: '=' as const, values: [value] }]
  })
  return selector && [...selector, ...keys]
}

function selfMatches(pod: Stored<Pod>, constraint: TopologySpreadConstraint): boolean {
  const selector = selectorWithKeys(pod, constraint)
  return selector !== undefined && matchesLabels(selector, pod.metadata.labels)
}
