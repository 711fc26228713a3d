/** Labels of nodes that have other names now: who still selects nodes by the old ones is warned (texts recorded). */
import type { LabelSelectorObject } from './label-selectors'

const OLD_LABELS: Record<string, string> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
}

/** @returns what the warning says of the label, undefined of one that has its name still */
export const oldLabelText = (label: string): string | undefined => (Object.hasOwn(OLD_LABELS, label) ? OLD_LABELS[label] : undefined)

/** Warnings of a list of expressions over labels of nodes. @param path of the list */
export function oldExpressionWarnings(expressions: readonly { key?: string }[] | null | undefined, path: string): string[] {
  return (expressions ?? []).flatMap(({ key = '' }, i) => {
    const text = oldLabelText(key)
    return text === undefined ? [] : [`${path}[${i}].key: ${key} is ${text}`]
  })
}

/** Warnings of a selector of nodes: its expressions, then its labels in their order. */
export function oldSelectorWarnings(selector: LabelSelectorObject | null | undefined, path: string): string[] {
  const labels = Object.keys(selector?.matchLabels ?? {}).sort()
  return [
    ...oldExpressionWarnings(selector?.matchExpressions, `${path}.matchExpressions`),
    ...labels.flatMap((label) => {
      const text = oldLabelText(label)
      return text === undefined ? [] : [`${path}.matchLabels.${label}: ${text}`]
    }),
  ]
}
