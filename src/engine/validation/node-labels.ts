/**
 * Deprecated labels of Nodes. k8s.io/kubernetes, pkg/api/node/util.go,
 * GetNodeLabelDeprecatedMessage.
 */
import { entryOf } from '../core/object'
import type { LabelSelectorObject } from './label-selectors'

export const NEW_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

const FIRST_RENAMED = new Set(['beta.kubernetes.io/arch', 'beta.kubernetes.io/os'])

/** Its warning names no release, and volumes keep it. */
const OLD_CONTROL_PLANE = 'node-role.kubernetes.io/master'
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane'

export function labelDeprecation(label: string): string | undefined {
  if (label === OLD_CONTROL_PLANE) return `use "${CONTROL_PLANE}" instead`
  const renamed = entryOf(NEW_LABELS, label)
  return (
    renamed && `deprecated since v1.${FIRST_RENAMED.has(label) ? 14 : 17}; use "${renamed}" instead`
  )
}

export function oldExpressionWarnings(
  expressions: readonly { key?: string }[] | null | undefined,
  path: string,
): string[] {
  return (expressions ?? []).flatMap(({ key = '' }, i) => {
    const text = labelDeprecation(key)
    return text === undefined ? [] : [`${path}[${i}].key: ${key} is ${text}`]
  })
}

export function oldSelectorWarnings(
  selector: LabelSelectorObject | null | undefined,
  path: string,
): string[] {
  const labels = Object.keys(selector?.matchLabels ?? {}).sort()
  return [
    ...oldExpressionWarnings(selector?.matchExpressions, `${path}.matchExpressions`),
    ...labels.flatMap((label) => {
      const text = labelDeprecation(label)
      return text === undefined ? [] : [`${path}.matchLabels.${label}: ${text}`]
    }),
  ]
}
