/**
 * Adds labels of a new pod to selectors (KEP-3633, KEP-3243). Recorded from kube-apiserver 1.31.
 */
import { entryOf } from '../../core/object'
import type { Engine } from '../../registry/engine'
import type { PodAffinity, PodAffinityTerm, PodSpec } from './pod-types'

export function settleMatchLabelKeys(
  spec: PodSpec,
  labels: Record<string, string>,
  gates: Engine['featureGates'],
): void {
  if (gates.MatchLabelKeysInPodAffinity)
    for (const term of affinityTermsOf(spec)) {
      addRequirements(term, term.matchLabelKeys, 'In', labels)
      addRequirements(term, term.mismatchLabelKeys, 'NotIn', labels)
    }
  if (gates.MatchLabelKeysInPodTopologySpreadSelectorMerge)
    for (const constraint of spec.topologySpreadConstraints ?? [])
      addRequirements(constraint, constraint.matchLabelKeys, 'In', labels)
}

/** Required and preferred. */
export const affinityTermsOf = ({ affinity }: PodSpec): PodAffinityTerm[] =>
  [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap(termsOf)

function termsOf(affinity: PodAffinity | undefined): PodAffinityTerm[] {
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(
      ({ podAffinityTerm }) => podAffinityTerm ?? [],
    ),
  ]
}

/** Needs a selector, and the label in the pod. */
function addRequirements(
  term: Pick<PodAffinityTerm, 'labelSelector'>,
  keys: string[] | null | undefined,
  operator: string,
  labels: Record<string, string>,
): void {
  if (!term.labelSelector) return
  for (const key of keys ?? []) {
    const value = entryOf(labels, key)
    if (value === undefined) continue
    term.labelSelector.matchExpressions = [
      ...(term.labelSelector.matchExpressions ?? []),
      { key, operator, values: [value] },
    ]
  }
}
