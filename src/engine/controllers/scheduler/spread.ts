/**
 * Topology spread constraints.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/
 */

import type { Pod, TopologySpreadConstraint } from 'kubernetes-types/core/v1'
import { memoizeByIdentity } from '../../core/identity-memo'
import { largest, smallest } from '../../core/lists'
import { entryOf } from '../../core/object'
import { type LabelSelector, matchesLabels } from '../../selectors/labels'
import type { Stored } from '../runtime/stored'
import { allowsNode } from '../shared/node-affinity'
import { requirementsOf } from '../shared/selectors'
import { taintsOf, untolerated } from '../shared/taints'
import type { NodeState } from './cluster'
import type { FilterStatus, Scheduling } from './types'

type SpreadConstraint = Omit<TopologySpreadConstraint, 'labelSelector' | 'matchLabelKeys'>

interface Spread {
  constraint: SpreadConstraint
  selector: LabelSelector | undefined
}

/** Same page, "Internal default constraints". */
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

/** For pods of the same services and controller. */
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
    const crowd = scheduling.once(`spread ${index}`, () => crowdOf(scheduling, spread, spreads))
    const { count, least } = inCrowd(scheduling, spread, spreads, crowd, { state, domain })
    const own =
      selector !== undefined && matchesLabels(selector, scheduling.pod.metadata.labels) ? 1 : 0
    if (count + own - least > constraint.maxSkew) {
      return { reasons: ["node(s) didn't match pod topology spread constraints"], final: false }
    }
  }
  return undefined
}

interface Crowd {
  counts: Map<string, number>
  /** Fewer domains than `minDomains`: the minimum is 0. */
  isSparse: boolean
  /** A domain with the fewest pods, and the minimum elsewhere. */
  leastDomain: string | undefined
  leastElsewhere: number
}

function crowdOf(scheduling: Scheduling, spread: Spread, spreads: readonly Spread[]): Crowd {
  // Nodes without all topology keys do not count.
  const counts = countsOf(scheduling, spread, (other) => hasAllDomains(other, spreads))
  const isSparse = counts.size < (spread.constraint.minDomains ?? 1)
  let leastDomain: string | undefined
  let leastElsewhere = Number.POSITIVE_INFINITY
  for (const [domain, count] of counts) {
    const least = leastDomain === undefined ? undefined : counts.get(leastDomain)
    if (least === undefined || count < least) {
      leastElsewhere = least ?? leastElsewhere
      leastDomain = domain
    } else leastElsewhere = Math.min(leastElsewhere, count)
  }
  return { counts, isSparse, leastDomain, leastElsewhere }
}

/**
 * A changed state changes only its own domain: no recount of other nodes (kube-scheduler,
 * podtopologyspread, `updateWithPod`).
 */
function inCrowd(
  scheduling: Scheduling,
  spread: Spread,
  spreads: readonly Spread[],
  crowd: Crowd,
  { state, domain }: { state: NodeState; domain: string },
): { count: number; least: number } {
  const { counts, isSparse, leastDomain, leastElsewhere } = crowd
  const before = counts.get(domain)
  const isChanged = !scheduling.isPresent(state) && before !== undefined
  const present = isChanged ? scheduling.presentOf(state) : undefined
  const counted = present !== undefined && isCounted(scheduling.pod, spread.constraint, present)
  const changed =
    present !== undefined && counted && hasAllDomains(present, spreads)
      ? matchesOn(scheduling, spread, state) - matchesOn(scheduling, spread, present)
      : 0
  const count = (before ?? 0) + changed
  if (isSparse || leastDomain === undefined) return { count, least: 0 }
  const elsewhere = domain === leastDomain ? leastElsewhere : (counts.get(leastDomain) ?? 0)
  return { count, least: before === undefined ? elsewhere : Math.min(count, elsewhere) }
}

/** 0 to 100; fewer matching pods score higher. */
export function spreadMarks(scheduling: Scheduling, states: readonly NodeState[]): number[] {
  const { pod } = scheduling
  const isConstrained = (pod.spec?.topologySpreadConstraints ?? []).length > 0
  const spreads = isConstrained ? spreadsOf(pod, 'ScheduleAnyway') : defaultSpreads(scheduling.kin)
  if (spreads.length === 0) return states.map(() => 0)
  // The pod's own constraints skip nodes without a domain.
  const counts = (state: NodeState) => !isConstrained || hasAllDomains(state, spreads)
  const crowds = spreads.map((spread) => {
    const domains = new Set(
      states.filter(counts).map((state) => domainOf(state, spread.constraint)),
    )
    domains.delete(undefined)
    // More domains increase the weight of a pod.
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

function countsOf(
  scheduling: Scheduling,
  spread: Spread,
  counts: (state: NodeState) => boolean,
): Map<string, number> {
  const found = new Map<string, number>()
  for (const state of scheduling.nodes) {
    const domain = domainOf(state, spread.constraint)
    if (
      domain === undefined ||
      !counts(state) ||
      !isCounted(scheduling.pod, spread.constraint, state)
    )
      continue
    found.set(domain, (found.get(domain) ?? 0) + matchesOn(scheduling, spread, state))
  }
  return found
}

/** An empty selector counts none (kube-scheduler, podtopologyspread). */
function matchesOn({ pod, once }: Scheduling, { selector }: Spread, state: NodeState): number {
  if (!selector?.length) return 0
  const { namespace } = pod.metadata
  const textOf = once('selector texts', () =>
    memoizeByIdentity((written: LabelSelector) => JSON.stringify(written)),
  )
  return matchingOn(state, namespace, selector, `${namespace} ${textOf(selector)}`)
}

/** Counts by namespace and selector. */
const countsOn = memoizeByIdentity((_: NodeState) => new Map<string, number>())

function matchingOn(
  state: NodeState,
  namespace: string | undefined,
  selector: LabelSelector,
  key: string,
): number {
  const counts = countsOn(state)
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

/** Skips nodes as inclusion policies specify. */
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
