import { matchesLabels, selectorOf } from '../../selectors/labels'
import { qosClassOf } from '../../validation/pod-qos'
import type { Pod, PodAffinityTerm } from '../../validation/pods'

export interface ScopeRequirement {
  scopeName: string
  operator: string
  values?: string[]
}

export interface ScopedSpec {
  scopes?: string[]
  scopeSelector?: { matchExpressions?: ScopeRequirement[] }
}

/** A scope without an operator means Exists. */
export function scopesOf({ scopes = [], scopeSelector }: ScopedSpec): ScopeRequirement[] {
  return [
    ...scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(scopeSelector?.matchExpressions ?? []),
  ]
}

export function podMatchesScope({ spec }: Pod, scope: ScopeRequirement): boolean {
  const { activeDeadlineSeconds: deadline, priorityClassName } = spec
  const terminating = typeof deadline === 'number' && deadline >= 0
  switch (scope.scopeName) {
    case 'Terminating':
      return terminating
    case 'NotTerminating':
      return !terminating
    case 'BestEffort':
      return qosClassOf(spec) === 'BestEffort'
    case 'NotBestEffort':
      return qosClassOf(spec) !== 'BestEffort'
    case 'PriorityClass':
      if (scope.operator === 'Exists') return Boolean(priorityClassName)
      return matchesPriorityClass(scope, priorityClassName)
    case 'CrossNamespacePodAffinity':
      return affinityTermsOf(spec).some(
        ({ namespaces, namespaceSelector }) =>
          Boolean(namespaces?.length) || Boolean(namespaceSelector),
      )
    default:
      return false
  }
}

function matchesPriorityClass(
  { scopeName: key, operator, values = [] }: ScopeRequirement,
  name: string | undefined,
): boolean {
  const selector = selectorOf({ matchExpressions: [{ key, operator, values }] })
  return selector !== undefined && matchesLabels(selector, name ? { [key]: name } : {})
}

function affinityTermsOf({ affinity }: Pod['spec']): PodAffinityTerm[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((kind) => [
    ...(kind?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(kind?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(
      ({ podAffinityTerm }) => podAffinityTerm ?? [],
    ),
  ])
}
