/** Labels of nodes that have other names now: who still goes by the old ones is warned (texts recorded). */
import { entryOf } from '../../object'
import type { LabelSelectorObject } from './label-selectors'

export const NEW_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

const FIRST_RENAMED = new Set(['beta.kubernetes.io/arch', 'beta.kubernetes.io/os'])

/** @returns what the warning says of the label, undefined of one that has its name still */
export function labelDeprecation(label: string): string | undefined {
  if (!Object.hasOwn(NEW_LABELS, label)) return undefined
  return `deprecated since v1.${FIRST_RENAMED.has(label) ? 14 : 17}; use "${entryOf(NEW_LABELS, label)}" instead`
}

/** Warnings of a list of expressions over labels of nodes. @param path of the list */
export function oldExpressionWarnings(expressions: readonly { key?: string }[] | null | undefined, path: string): string[] {
  return (expressions ?? []).flatMap(({ key = '' }, i) => {
    const text = labelDeprecation(key)
    return text === undefined ? [] : [`${path}[${i}].key: ${key} is ${text}`]
  })
}

/** Warnings of a selector of nodes: its expressions, then its labels in their order. */
export function oldSelectorWarnings(selector: LabelSelectorObject | null | undefined, path: string): string[] {
  const labels = Object.keys(selector?.matchLabels ?? {}).sort()
  return [
    ...oldExpressionWarnings(selector?.matchExpressions, `${path}.matchExpressions`),
    ...labels.flatMap((label) => {
      const text = labelDeprecation(label)
      return text === undefined ? [] : [`${path}.matchLabels.${label}: ${text}`]
    }),
  ]
}
