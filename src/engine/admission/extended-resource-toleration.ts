/**
 * Pods that request an extended resource tolerate the taint of its nodes (Kubernetes 1.31, package
 * plugin/pkg/admission/extendedresourcetoleration).
 */

import { equalJson } from '../core/object'
import { podOf } from '../validation/pods'
import { isExtendedResource } from '../validation/resource-names'
import type { AdmissionPlugin } from './admission'

export function extendedResourceToleration(): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    mutate({ object }) {
      const { spec } = podOf(object)
      const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
      const wanted = new Set(
        containers.flatMap(({ resources }) =>
          Object.keys(resources?.requests ?? {}).filter(isExtendedResource),
        ),
      )
      const tolerations = spec.tolerations ?? []
      const missing = [...wanted]
        .sort()
        .map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }))
        .filter((toleration) => !tolerations.some((other) => equalJson(other, toleration)))
      if (missing.length > 0) spec.tolerations = [...tolerations, ...missing]
    },
  }
}
