/** Labels of nodes that have another name now, and what is said of the old one (recorded). */

export const NEW_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

const FIRST_RENAMED = new Set(['beta.kubernetes.io/arch', 'beta.kubernetes.io/os'])

/** @returns undefined for a label that is not going */
export function labelDeprecation(key: string): string | undefined {
  const name = NEW_LABELS[key]
  return name && `deprecated since v1.${FIRST_RENAMED.has(key) ? 14 : 17}; use "${name}" instead`
}
