/** Rejects required anti-affinity beyond single nodes. */

import { podOf } from '../validation/pods'
import type { AdmissionPlugin } from './admission'
import { newForbidden } from './errors'

const HOSTNAME = 'kubernetes.io/hostname'

export function limitPodHardAntiAffinityTopology(): AdmissionPlugin {
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    validate(attributes) {
      const terms =
        podOf(attributes.object).spec.affinity?.podAntiAffinity
          ?.requiredDuringSchedulingIgnoredDuringExecution ?? []
      for (const { topologyKey = '' } of terms) {
        if (topologyKey === HOSTNAME) continue
        const allowed = `but only key ${HOSTNAME} is allowed`
        throw newForbidden(
          attributes,
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} ${allowed}`,
        )
      }
    },
  }
}
