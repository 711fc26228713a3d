/**
 * Matches Nodes with node selectors.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/
 */

import type {
  Node,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
} from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import type { Stored } from '../runtime/stored'

export function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  node: Stored<Node>,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false
  return (
    matchExpressions.every((requirement) =>
      holds(requirement, entryOf(node.metadata.labels, requirement.key)),
    ) &&
    matchFields.every(
      (requirement) =>
        requirement.key === 'metadata.name' && holds(requirement, node.metadata.name),
    )
  )
}

export const matchesSelector = ({ nodeSelectorTerms }: NodeSelector, node: Stored<Node>): boolean =>
  nodeSelectorTerms.some((term) => matchesTerm(term, node))

export function allowsNode({ spec }: Pod, node: Stored<Node>): boolean {
  const labels = node.metadata.labels ?? {}
  if (
    !Object.entries(spec?.nodeSelector ?? {}).every(
      ([name, value]) => entryOf(labels, name) === value,
    )
  )
    return false
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return required === undefined || matchesSelector(required, node)
}

function holds(
  { operator, values = [] }: NodeSelectorRequirement,
  actual: string | undefined,
): boolean {
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual)
    case 'NotIn':
      return actual === undefined || !values.includes(actual)
    case 'Exists':
      return actual !== undefined
    case 'DoesNotExist':
      return actual === undefined
    case 'Gt':
      return actual !== undefined && /^-?\d+$/.test(actual) && Number(actual) > Number(values[0])
    case 'Lt':
      return actual !== undefined && /^-?\d+$/.test(actual) && Number(actual) < Number(values[0])
    default:
      return false
  }
}

/**
 * Only these nodes are checked. Undefined if a term names none; empty if each term requires
 * several.
 */
export function nodesNamed({ spec }: Pod): ReadonlySet<string> | undefined {
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  if (terms === undefined || terms.length === 0) return undefined
  const named = new Set<string>()
  for (const { matchFields = [] } of terms) {
    const [first, ...others] = namesIn(matchFields)
    if (first === undefined) return undefined
    if (others.every((name) => name === first)) named.add(first)
  }
  return named
}

/** Validation requires exactly one value. */
const namesIn = (requirements: NodeSelectorRequirement[]): (string | undefined)[] =>
  requirements
    .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
    .map(({ values }) => values?.[0])
