/** DefaultTolerationSeconds: pods stay five minutes on a node that is not ready or unreachable, unless they say otherwise. */

import { podOf, type Toleration } from '../registry/rules/pods'
import type { AdmissionPlugin } from './admission'

const SECONDS = 300
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

export function defaultTolerationSeconds(): AdmissionPlugin {
  return {
    name: 'DefaultTolerationSeconds',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    mutate({ object }) {
      const { spec } = podOf(object)
      const present = spec.tolerations ?? []
      const missing = TAINTS.filter((taint) => !present.some((toleration) => concerns(toleration, taint)))
      if (missing.length === 0) return
      spec.tolerations = [
        ...present,
        ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS })),
      ]
    },
  }
}

/** An empty key means every taint, an empty effect every effect. */
function concerns({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute')
}
