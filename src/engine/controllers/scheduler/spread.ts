/**
 * Pod topology spread constraints.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/
 */

import type { Pod, TopologySpreadConstraint } from 'kubernetes-types/core/v1'
import { largest, smallest } from '../../lists'
import { entryOf } from '../../object'
import { type LabelSelector, matchesLabels } from '../../selectors/labels'
import type { Stored } from '../runtime/stored'
import { allowsNode } from '../shared/node-affinity'
import { requirementsOf } from '../shared/selectors'
import { taintsOf, untolerated } from '../shared/taints'
import type { NodeState } from './cluster'
import type { FilterStatus, Scheduling } from './types'

type SpreadConstraint = Omit<TopologySpreadConstraint, 'labelSelector' | 'matchLabelKeys'>

/** A constraint with the selector of the pods that it counts. */
interface Spread {
  constraint: SpreadConstraint
  selector: LabelSelector | undefined
}

/** The default constraints (same page, "Internal default constraints"). */
const DEFAULTS: SpreadConstraint[] = [
  { maxSkew: 3, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
  { maxSkew: 5, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
]

function spreadsOf(pod: Stored<Pod>, when: string): Spread[] {
  const constraints = (pod.spec?.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === when,
  )
  return constraints.map((constraint) => ({
    constraint,
    selector: selectorWithKeys(pod, constraint),
  }))
}

/** @returns the default constraints for pods of the same services and controller */
function defaultSpreads(selector: LabelSelector): Spread[] {
  return selector.length === 0 ? [] : DEFAULTS.map((constraint) => ({ constraint, selector }))
}

const domainOf = ({ node }: NodeState, { topologyKey }: SpreadConstraint): string | undefined =>
  entryOf(node.metadata.labels, topologyKey)
const hasAllDomains = (state: NodeState, spreads: readonly Spread[]): boolean =>
  spreads.every(({ constraint }) => domainOf(state, constraint) !== undefined)

export function spreadProblem(scheduling: Scheduling, state: NodeState): FilterStatus | undefined {
  const spreads = scheduling.once('required spreads', () =>
    spreadsOf(scheduling.pod, 'DoNotSchedule'),
  )
  for (const [index, spread] of spreads.entries()) {
    const { constraint, selector } = spread
    const domain = domainOf(state, constraint)
    if (domain === undefined) {
      return {
        reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"],
        final: true,
      }
    }
    const { counts, least } = scheduling.isPresent(state)
      ? scheduling.once(`spread ${index}`, () => crowdOf(scheduling, spread, spreads))
      : crowdOf(scheduling, spread, spreads, state)
    const own =
      selector !== undefined && matchesLabels(selector, scheduling.pod.metadata.labels) ? 1 : 0
    if ((counts.get(domain) ?? 0) + own - least > constraint.maxSkew) {
      return { reasons: ["node(s) didn't match pod topology spread constraints"], final: false }
    }
  }
  return undefined
}

/**
 * Counts matching pods by domain, and the minimum over all domains.
 * @param state a changed state of a node
 */
function crowdOf(
  scheduling: Scheduling,
  spread: Spread,
  spreads: readonly Spread[],
  state?: NodeState,
): { counts: Map<string, number>; least: number } {
  // Nodes without all topology keys are not counted.
  const counts = countsOf(scheduling, spread, (other) => hasAllDomains(other, spreads), state)
  const fewDomains = counts.size < (spread.constraint.minDomains ?? 1)
  return { counts, least: fewDomains || counts.size === 0 ? 0 : smallest(counts.values()) }
}

/** Scores nodes from 0 to 100; nodes in domains with fewer matching pods score higher. */
export function spreadMarks(scheduling: Scheduling, states: readonly NodeState[]): number[] {
  const { pod } = scheduling
  const isConstrained = (pod.spec?.topologySpreadConstraints ?? []).length > 0
  const spreads = isConstrained ? spreadsOf(pod, 'ScheduleAnyway') : defaultSpreads(scheduling.kin)
  if (spreads.length === 0) return states.map(() => 0)
  // Nodes without a domain are skipped if the pod has its own constraints.
  const counts = (state: NodeState) => !isConstrained || hasAllDomains(state, spreads)
  const crowds = spreads.map((spread) => {
    const domains = new Set(
      states.filter(counts).map((state) => domainOf(state, spread.constraint)),
    )
    domains.delete(undefined)
    // A pod has more weight with more domains.
    return {
      constraint: spread.constraint,
      weight: Math.log(domains.size + 2),
      pods: countsOf(scheduling, spread, counts),
    }
  })
  const crowding = states.map((state) => {
    if (!counts(state)) return undefined
    const sums = crowds.map(({ constraint, weight, pods }) => {
      const domain = domainOf(state, constraint)
      return domain === undefined ? 0 : (pods.get(domain) ?? 0) * weight + constraint.maxSkew - 1
    })
    return Math.round(sums.reduce((total, one) => total + one, 0))
  })
  const known = crowding.filter((value) => value !== undefined)
  const [least, most] = [smallest(known), largest(known)]
  return crowding.map((value) =>
    value === undefined ? 0 : most === 0 ? 100 : Math.floor((100 * (most + least - value)) / most),
  )
}

/**
 * Counts matching pods by domain on eligible nodes.
 * @param state a changed state of a node, which replaces the present one
 */
function countsOf(
  { pod, nodes }: Scheduling,
  { constraint, selector }: Spread,
  counts: (state: NodeState) => boolean,
  state?: NodeState,
): Map<string, number> {
  const found = new Map<string, number>()
  const key = `${pod.metadata.namespace} ${JSON.stringify(selector)}`
  for (const other of nodes) {
    const seen =
      state !== undefined && other.node.metadata.uid === state.node.metadata.uid ? state : other
    const domain = domainOf(seen, constraint)
    if (domain === undefined || !counts(seen) || !isCounted(pod, constraint, seen)) continue
    // An empty selector counts no pods (kube-scheduler, package podtopologyspread).
    found.set(
      domain,
      (found.get(domain) ?? 0) +
        (selector?.length ? matchingOn(seen, pod.metadata.namespace, selector, key) : 0),
    )
  }
  return found
}

/** Counts by namespace and selector, cached until a pod on the node or the node changes. */
const known = new WeakMap<NodeState, Map<string, number>>()

function matchingOn(
  state: NodeState,
  namespace: string | undefined,
  selector: LabelSelector,
  key: string,
): number {
  let counts = known.get(state)
  if (counts === undefined) known.set(state, (counts = new Map()))
  let count = counts.get(key)
  if (count === undefined) {
    count = state.pods.filter(
      ({ metadata }) =>
        metadata.namespace === namespace &&
        !metadata.deletionTimestamp &&
        matchesLabels(selector, metadata.labels),
    ).length
    counts.set(key, count)
  }
  return count
}

/** Nodes that do not fit the pod are skipped, as the node inclusion policies specify. */
function isCounted(
  pod: Stored<Pod>,
  { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: SpreadConstraint,
  { node }: NodeState,
): boolean {
  if (nodeAffinityPolicy === 'Honor' && !allowsNode(pod, node)) return false
  return (
    nodeTaintsPolicy !== 'Honor' ||
    untolerated(taintsOf(node), pod.spec?.tolerations ?? [], ['NoSchedule', 'NoExecute']) ===
      undefined
  )
}

function selectorWithKeys(
  pod: Stored<Pod>,
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
): LabelSelector | undefined {
  const selector = requirementsOf(labelSelector)
  const keys = matchLabelKeys.flatMap((key) => {
    const value = entryOf(pod.metadata.labels, key)
    return value === undefined ? [] : [{ key, operator: '=' as const, values: [value] }]
  })
  return selector && [...selector, ...keys]
}
