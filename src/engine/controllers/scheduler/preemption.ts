/**
 * Finds Pods of lower priority to evict for a Pod.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
 */

import type { Pod } from 'kubernetes-types/core/v1'
import { append, largest, smallest } from '../../core/lists'
import { entryOf } from '../../core/object'
import { matchesLabels } from '../../selectors/labels'
import type { Stored } from '../runtime/stored'
import { requirementsOf } from '../shared/selectors'
import { type Cluster, type NodeState, stateWith } from './cluster'
import { runFilters } from './filters'
import type { FilterStatus, Scheduling } from './types'

export interface Candidate {
  state: NodeState
  victims: Stored<Pod>[]
  violations: number
}

export const priorityOf = ({ spec }: Stored<Pod>): number => spec?.priority ?? 0

const NOT_HELPFUL = 'Preemption is not helpful for scheduling'
const NO_VICTIMS = 'No preemption victims found for incoming pod'

interface Situation {
  nodeToStatus: Map<NodeState, FilterStatus>
  now: number
}

/** @returns the best candidate, or reasons against preemption */
export function preempt(
  cluster: Cluster,
  scheduling: Scheduling,
  { nodeToStatus, now }: Situation,
): Candidate | string[] {
  const candidates: Candidate[] = []
  const reasons: string[] = []
  for (const [state, status] of nodeToStatus) {
    const found = status.final ? NOT_HELPFUL : victimsOn(cluster, scheduling, { state, now })
    if (typeof found === 'string') reasons.push(found)
    else if (Array.isArray(found)) append(reasons, found)
    else candidates.push(found)
  }
  return candidates.sort((a, b) => compare(a, b, now))[0] ?? reasons
}

function victimsOn(
  cluster: Cluster,
  scheduling: Scheduling,
  { state, now }: { state: NodeState; now: number },
): Candidate | string | string[] {
  const priority = priorityOf(scheduling.pod)
  const lower = state.pods.filter((pod) => priorityOf(pod) < priority)
  if (lower.length === 0) return NO_VICTIMS
  const kept = state.pods.filter((pod) => !lower.includes(pod))
  const status = runFilters(scheduling, stateWith(state.node, kept))
  if (status !== undefined) return status.reasons
  const byImportance = [...lower].sort(
    (a, b) => priorityOf(b) - priorityOf(a) || startOf(a, now) - startOf(b, now),
  )
  const guarded = guardedAmong(cluster, byImportance)
  // Reprieves pods that budgets protect first, then by importance.
  const order = [...byImportance].sort((a, b) => Number(guarded.has(b)) - Number(guarded.has(a)))
  const victims: Stored<Pod>[] = []
  for (const pod of order) {
    if (runFilters(scheduling, stateWith(state.node, [...kept, pod])) === undefined) kept.push(pod)
    else victims.push(pod)
  }
  return { state, victims, violations: victims.filter((pod) => guarded.has(pod)).length }
}

/** Pods whose eviction violates a budget; earlier pods consume allowed disruptions. */
function guardedAmong(cluster: Cluster, pods: readonly Stored<Pod>[]): Set<Stored<Pod>> {
  const left = new Map<string, number>()
  const guarded = new Set<Stored<Pod>>()
  for (const pod of pods) {
    const { namespace, name = '', labels } = pod.metadata
    for (const { metadata, spec, status } of cluster.budgets.list(namespace)) {
      const selector = requirementsOf(spec?.selector)
      if (
        !selector?.length ||
        !matchesLabels(selector, labels) ||
        entryOf(status?.disruptedPods, name) !== undefined
      )
        continue
      const allowed = (left.get(metadata.uid ?? '') ?? status?.disruptionsAllowed ?? 0) - 1
      left.set(metadata.uid ?? '', allowed)
      if (allowed < 0) guarded.add(pod)
    }
  }
  return guarded
}

/** Unset counts as now. */
const startOf = ({ status }: Stored<Pod>, now: number): number =>
  status?.startTime ? Date.parse(String(status.startTime)) : now
const highest = ({ victims }: Candidate): number => largest(victims.map(priorityOf))
const sum = ({ victims }: Candidate): number =>
  victims.reduce((total, pod) => total + priorityOf(pod) + 2 ** 31, 0)

/** Earliest start of the victims with the highest priority. */
function began(candidate: Candidate, now: number): number {
  const foremost = candidate.victims.filter((pod) => priorityOf(pod) === highest(candidate))
  return smallest(foremost.map((pod) => startOf(pod, now)))
}

/** Fewest violations, lowest highest priority, lowest sum, fewest victims, latest start. */
function compare(a: Candidate, b: Candidate, now: number): number {
  return (
    a.violations - b.violations ||
    highest(a) - highest(b) ||
    sum(a) - sum(b) ||
    a.victims.length - b.victims.length ||
    began(b, now) - began(a, now) ||
    0
  )
}
