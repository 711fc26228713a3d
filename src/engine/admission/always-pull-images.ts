/** Every pull uses the pod's credentials, so that cached private images stay private. */

import { aggregateMessage } from '../core/aggregate-message'
import { notSupported } from '../validation/field-errors'
import { type Container, containersOf, type Pod, podOf } from '../validation/pods'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { newForbidden } from './errors'

const ALWAYS = 'Always'

export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    mutate(attributes) {
      if (bringsNoImage(attributes)) return
      for (const container of containersOf(podOf(attributes.object).spec))
        container.imagePullPolicy = ALWAYS
    },
    validate(attributes) {
      if (bringsNoImage(attributes)) return
      const { spec } = podOf(attributes.object)
      const problems = (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap(
        (list) =>
          (spec[list] ?? []).flatMap(({ imagePullPolicy }: Container, i) => {
            if (imagePullPolicy === ALWAYS) return []
            const { field, detail } = notSupported(
              `spec.${list}[${i}].imagePullPolicy`,
              imagePullPolicy ?? '',
              [ALWAYS],
            )
            return `${field}: ${detail}`
          }),
      )
      if (problems.length > 0) throw newForbidden(attributes, aggregateMessage(problems))
    },
  }
}

function bringsNoImage({ operation, object, oldObject }: AdmissionAttributes): boolean {
  if (operation !== 'UPDATE') return false
  const before = new Set(containersOf((oldObject as Pod).spec).map(({ image }) => image))
  return containersOf((object as Pod).spec).every(({ image }) => before.has(image))
}
