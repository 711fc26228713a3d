/** ExtendedResourceToleration: a pod that asks for a device tolerates the taint that keeps others from the nodes that have it. */

import { podOf } from '../registry/rules/pods'
import { isExtendedResource } from '../registry/rules/resource-names'
import type { AdmissionPlugin } from './admission'

export function extendedResourceToleration(): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    mutate({ object }) {
      const { spec } = podOf(object)
      const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
      const wanted = new Set(containers.flatMap(({ resources }) => Object.keys(resources?.requests ?? {}).filter(isExtendedResource)))
      const tolerations = spec.tolerations ?? []
      const missing = [...wanted]
        .sort()
        .filter((key) => !tolerations.some((other) => other.key === key && other.operator === 'Exists' && !other.effect))
      if (missing.length > 0) spec.tolerations = [...tolerations, ...missing.map((key) => ({ key, operator: 'Exists' }))]
    },
  }
}
