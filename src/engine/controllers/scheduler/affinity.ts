/** Pods that want to be near to other pods, or far from them (public documentation, "Inter-pod affinity and anti-affinity"). */

import type { Pod, PodAffinityTerm } from 'kubernetes-types/core/v1'
import { entryOf } from '../../object'
import { matchesLabels } from '../../selectors/labels'
import type { Stored } from '../runtime/stored'
import { requirementsOf } from '../shared/selectors'
import type { NodeState } from './cluster'
import type { Refusal, Scheduling } from './types'

type NamespaceLabels = Scheduling['labelsOfNamespace']

/** What a pod demands of the company of others. */
export const requiredTerms = (
  { spec }: Stored<Pod>,
  way: 'podAffinity' | 'podAntiAffinity',
): PodAffinityTerm[] => spec?.affinity?.[way]?.requiredDuringSchedulingIgnoredDuringExecution ?? []

/** The other pod is one that the term of `owner` speaks of. */
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

export function affinityProblem(
  { pod, nodes, labelsOfNamespace }: Scheduling,
  state: NodeState,
): Refusal | undefined {
  const labels = state.node.metadata.labels ?? {}
  const present = nodes.map((other) =>
    other.node.metadata.uid === state.node.metadata.uid ? state : other,
  )
  /** Nodes of the same place, as the term counts places. */
  const near = (key: string) => {
    const value = entryOf(labels, key)
    return value === undefined
      ? []
      : present.filter(({ node }) => entryOf(node.metadata.labels ?? {}, key) === value)
  }
  const wanted = requiredTerms(pod, 'podAffinity')
  if (wanted.length > 0) {
    // One pod has to be what all of the terms speak of.
    const isWanted = (other: Stored<Pod>) =>
      wanted.every((term) => speaksOf(term, pod, other, labelsOfNamespace))
    const isTold = wanted.every(({ topologyKey }) => entryOf(labels, topologyKey) !== undefined)
    const isMet = wanted.every(({ topologyKey }) =>
      near(topologyKey).some(({ pods }) => pods.some(isWanted)),
    )
    // The first of a group that wants to be together has to begin somewhere.
    const hasPlace = ({ node }: NodeState) =>
      wanted.some(({ topologyKey }) => entryOf(node.metadata.labels, topologyKey) !== undefined)
    const isFirst = () =>
      isWanted(pod) && !present.some((other) => hasPlace(other) && other.pods.some(isWanted))
    if (!isTold || !(isMet || isFirst()))
      return refusal("node(s) didn't match pod affinity rules", true)
  }
  for (const term of requiredTerms(pod, 'podAntiAffinity')) {
    if (
      near(term.topologyKey).some(({ pods }) =>
        pods.some((other) => speaksOf(term, pod, other, labelsOfNamespace)),
      )
    ) {
      return refusal("node(s) didn't match pod anti-affinity rules", false)
    }
  }
  for (const { node, particular } of present) {
    for (const other of particular) {
      for (const term of requiredTerms(other, 'podAntiAffinity')) {
        const place = entryOf(labels, term.topologyKey)
        if (
          place !== undefined &&
          entryOf(node.metadata.labels, term.topologyKey) === place &&
          speaksOf(term, other, pod, labelsOfNamespace)
        ) {
          return refusal("node(s) didn't satisfy existing pods anti-affinity rules", false)
        }
      }
    }
  }
  return undefined
}

const refusal = (reason: string, final: boolean): Refusal => ({ reasons: [reason], final })

/** The weight of what is demanded beside what is preferred (the default profile's `hardPodAffinityWeight`). */
const DEMANDED = 1

/** How much the pod, and the pods that are there, would like it on the node. */
export function affinityPreference(
  { pod, nodes, labelsOfNamespace }: Scheduling,
  { node }: NodeState,
): number {
  if (!pod.spec?.affinity && nodes.every(({ particular }) => particular.length === 0)) return 0
  const labels = node.metadata.labels ?? {}
  let sum = 0
  const weigh = (
    owner: Stored<Pod>,
    there: Stored<Pod>[],
    other: Stored<Pod> | undefined,
    placeLabels: Record<string, string>,
  ) => {
    for (const [way, sign] of [
      ['podAffinity', 1],
      ['podAntiAffinity', -1],
    ] as const) {
      for (const { weight, podAffinityTerm } of owner.spec?.affinity?.[way]
        ?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
        const place = entryOf(labels, podAffinityTerm.topologyKey)
        if (place === undefined || entryOf(placeLabels, podAffinityTerm.topologyKey) !== place)
          continue
        const spoken = other ? [other] : there
        sum +=
          sign *
          weight *
          spoken.filter((candidate) =>
            speaksOf(podAffinityTerm, owner, candidate, labelsOfNamespace),
          ).length
      }
    }
  }
  for (const { node: other, pods, particular } of nodes) {
    const placeLabels = other.metadata.labels ?? {}
    weigh(pod, pods, undefined, placeLabels)
    for (const present of particular) {
      weigh(present, [], pod, placeLabels)
      // What a pod there demands of its company counts a little for others that are such.
      for (const term of requiredTerms(present, 'podAffinity')) {
        const place = entryOf(labels, term.topologyKey)
        if (
          place !== undefined &&
          entryOf(placeLabels, term.topologyKey) === place &&
          speaksOf(term, present, pod, labelsOfNamespace)
        )
          sum += DEMANDED
      }
    }
  }
  return sum
}
