/**
 * `matchLabelKeys` of pod affinity: merges labels of a new pod into the selector (KEP-3633).
 * Recorded from kube-apiserver 1.31.
 */
import { entryOf } from '../../core/object'
import type { PodAffinity, PodAffinityTerm, PodSpec } from './pod-types'

export function settleMatchLabelKeys(spec: PodSpec, labels: Record<string, string>): void {
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity])
    for (const term of termsOf(affinity)) {
      addRequirements(term, term.matchLabelKeys, 'In', labels)
      addRequirements(term, term.mismatchLabelKeys, 'NotIn', labels)
    }
}

function termsOf(affinity: PodAffinity | undefined): PodAffinityTerm[] {
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(
      ({ podAffinityTerm }) => podAffinityTerm ?? [],
    ),
  ]
}

/** A term without a selector, or a label that the pod lacks, adds nothing. */
function addRequirements(
  term: PodAffinityTerm,
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
