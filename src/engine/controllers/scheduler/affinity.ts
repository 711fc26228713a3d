/**
 * Node affinity, Pod affinity and anti-affinity.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/
 */

import type { Pod, PodAffinityTerm } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import { matchesLabels } from '../../selectors/labels'
import type { Stored } from '../runtime/stored'
import { requirementsOf } from '../shared/selectors'
import type { NodeState } from './cluster'
import type { FilterStatus, Scheduling } from './types'

type NamespaceLabels = Scheduling['labelsOfNamespace']

export const requiredTerms = (
  { spec }: Stored<Pod>,
  way: 'podAffinity' | 'podAntiAffinity',
): PodAffinityTerm[] => spec?.affinity?.[way]?.requiredDuringSchedulingIgnoredDuringExecution ?? []

/** The term of `owner` matches `other`. */
export function speaksOf(
  term: PodAffinityTerm,
  owner: Stored<Pod>,
  other: Stored<Pod>,
  labelsOfNamespace: NamespaceLabels,
): boolean {
  const { namespace = '' } = other.metadata
  const { namespaces = [], namespaceSelector } = term
  const byLabels = requirementsOf(namespaceSelector)
  const here =
    namespaces.includes(namespace) ||
    (byLabels !== undefined && matchesLabels(byLabels, labelsOfNamespace(namespace))) ||
    (namespaces.length === 0 && byLabels === undefined && namespace === owner.metadata.namespace)
  const selector = requirementsOf(term.labelSelector)
  return here && selector !== undefined && matchesLabels(selector, other.metadata.labels)
}

/** Node label values by topology key. */
type Places = Map<string, Set<string>>

function addPlace(places: Places, { node }: NodeState, topologyKey: string): void {
  const value = entryOf(node.metadata.labels, topologyKey)
  if (value === undefined) return
  const known = places.get(topologyKey)
  if (known) known.add(value)
  else places.set(topologyKey, new Set([value]))
}

/** Topology domains of pods that required terms match, or whose terms match the pod. */
interface Company {
  /** Domains of pods that match all affinity terms. */
  wanted: Places
  hasWanted: boolean
  /** Domains of pods that match an anti-affinity term. */
  unwanted: Places
  /** Domains of pods whose anti-affinity terms match the pod. */
  hostile: Places
}

function companyOf({ pod, labelsOfNamespace }: Scheduling, present: readonly NodeState[]): Company {
  const wanted = requiredTerms(pod, 'podAffinity')
  const unwanted = requiredTerms(pod, 'podAntiAffinity')
  const company: Company = {
    wanted: new Map(),
    hasWanted: false,
    unwanted: new Map(),
    hostile: new Map(),
  }
  for (const state of present) {
    if (wanted.length > 0 && state.pods.some(isWantedBy(pod, labelsOfNamespace)))
      for (const { topologyKey } of wanted) {
        addPlace(company.wanted, state, topologyKey)
        if (entryOf(state.node.metadata.labels, topologyKey) !== undefined) company.hasWanted = true
      }
    for (const term of unwanted)
      if (state.pods.some((other) => speaksOf(term, pod, other, labelsOfNamespace)))
        addPlace(company.unwanted, state, term.topologyKey)
    for (const other of state.particular)
      for (const term of requiredTerms(other, 'podAntiAffinity'))
        if (speaksOf(term, other, pod, labelsOfNamespace))
          addPlace(company.hostile, state, term.topologyKey)
  }
  return company
}

const isWantedBy =
  (pod: Stored<Pod>, labelsOfNamespace: NamespaceLabels) =>
  (other: Stored<Pod>): boolean =>
    requiredTerms(pod, 'podAffinity').every((term) => speaksOf(term, pod, other, labelsOfNamespace))

export function affinityProblem(
  scheduling: Scheduling,
  state: NodeState,
): FilterStatus | undefined {
  const { pod, nodes, labelsOfNamespace } = scheduling
  const labels = state.node.metadata.labels ?? {}
  // Preemption evaluates changed states, which are not cached.
  const company = scheduling.isPresent(state)
    ? scheduling.once('company', () => companyOf(scheduling, nodes))
    : companyOf(
        scheduling,
        nodes.map((other) => (other.node.metadata.uid === state.node.metadata.uid ? state : other)),
      )
  const isIn = (places: Places, topologyKey: string) => {
    const value = entryOf(labels, topologyKey)
    return value !== undefined && places.get(topologyKey)?.has(value) === true
  }
  const wanted = requiredTerms(pod, 'podAffinity')
  if (wanted.length > 0) {
    const hasKeys = wanted.every(({ topologyKey }) => entryOf(labels, topologyKey) !== undefined)
    const isMet = wanted.every(({ topologyKey }) => isIn(company.wanted, topologyKey))
    // The first pod with affinity to itself fits any node with the topology keys.
    const isFirst = () => isWantedBy(pod, labelsOfNamespace)(pod) && !company.hasWanted
    if (!hasKeys || !(isMet || isFirst()))
      return unschedulable("node(s) didn't match pod affinity rules", true)
  }
  if ([...company.unwanted.keys()].some((key) => isIn(company.unwanted, key)))
    return unschedulable("node(s) didn't match pod anti-affinity rules", false)
  if ([...company.hostile.keys()].some((key) => isIn(company.hostile, key)))
    return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules", false)
  return undefined
}

const unschedulable = (reason: string, final: boolean): FilterStatus => ({
  reasons: [reason],
  final,
})

/** `hardPodAffinityWeight` of the default profile. */
const DEMANDED = 1

/** Sums the preferred terms of the pod and of existing pods. */
export function affinityPreference(scheduling: Scheduling, { node }: NodeState): number {
  const weights = scheduling.once('affinity preference', () => weightsOf(scheduling))
  let sum = 0
  for (const [topologyKey, byPlace] of weights) {
    const place = entryOf(node.metadata.labels, topologyKey)
    if (place !== undefined) sum += byPlace.get(place) ?? 0
  }
  return sum
}

function weightsOf({
  pod,
  nodes,
  labelsOfNamespace,
}: Scheduling): Map<string, Map<string, number>> {
  const weights = new Map<string, Map<string, number>>()
  const add = ({ node }: NodeState, topologyKey: string, weight: number) => {
    const place = entryOf(node.metadata.labels, topologyKey)
    if (place === undefined || weight === 0) return
    let byPlace = weights.get(topologyKey)
    if (byPlace === undefined) weights.set(topologyKey, (byPlace = new Map()))
    byPlace.set(place, (byPlace.get(place) ?? 0) + weight)
  }
  const weigh = (owner: Stored<Pod>, state: NodeState, spoken: readonly Stored<Pod>[]) => {
    for (const [way, sign] of [
      ['podAffinity', 1],
      ['podAntiAffinity', -1],
    ] as const) {
      for (const { weight, podAffinityTerm: term } of owner.spec?.affinity?.[way]
        ?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
        const count = spoken.filter((other) =>
          speaksOf(term, owner, other, labelsOfNamespace),
        ).length
        add(state, term.topologyKey, sign * weight * count)
      }
    }
  }
  for (const state of nodes) {
    weigh(pod, state, state.pods)
    for (const present of state.particular) {
      weigh(present, state, [pod])
      // Required terms of existing pods that match count a little.
      for (const term of requiredTerms(present, 'podAffinity'))
        if (speaksOf(term, present, pod, labelsOfNamespace)) add(state, term.topologyKey, DEMANDED)
    }
  }
  return weights
}
