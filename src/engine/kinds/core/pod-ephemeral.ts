/** Adds ephemeral containers to a Pod. Recorded from kube-apiserver 1.31. */

import { equalJson, type Json, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import type { ReleaseTables } from '../../release-tables/tables'
import { canonicalValue } from '../../schema/canonical'
import { forbiddenField } from '../../validation/field-errors'
import { typeNamed } from '../../validation/go-literal'
import { goValue } from '../../validation/go-value'
import { MIRROR_ANNOTATION } from '../../validation/pods'
import { forbiddenChange } from '../../validation/value-changes'
import { withoutGatedStatus } from './pod-gates'
import type { Pod } from './pod-types'
import { annotationChangeErrors } from './pod-update'
import { podValidationOptions } from './pod-validation/options'
import { podErrors } from './pod-validation/template'

export const ephemeralContainersStrategy: NonNullable<Strategy['status']> = {
  prepareForUpdate(object: KubeObject, old, { engine }) {
    const [pod, stored] = [object as Pod, old as Pod]
    const { name, namespace, resourceVersion, uid, managedFields } = pod.metadata
    const isOwned = engine.tables.changes.has('EphemeralContainersAreOwned')
    const containers = pod.spec?.ephemeralContainers ?? null
    const before = stored.spec?.ephemeralContainers ?? null
    // Managed fields of the request are ignored too.
    pod.metadata = { ...stored.metadata, ...definedOf({ name, namespace, resourceVersion, uid }) }
    if (isOwned && managedFields) pod.metadata.managedFields = managedFields
    pod.spec = { ...stored.spec, ephemeralContainers: containers }
    if (isOwned && !equalJson(before as Json, containers as Json))
      pod.metadata.generation = (stored.metadata.generation ?? 0) + 1
    if (stored.status) pod.status = withoutGatedStatus(stored.status, engine.featureGates)
  },
  validateUpdate(object, old, { engine }) {
    const [pod, stored] = [object as Pod, old as Pod]
    // Mirror pods: the kubelet would not see them. `[]` is kube-apiserver's path.
    if (stored.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined)
      return [forbiddenField('[]', 'static pods do not support ephemeral containers')]
    return [
      ...podErrors(pod, podValidationOptions(engine, stored)),
      ...annotationChangeErrors(pod, stored),
      ...changeErrors(pod, stored, engine.tables),
    ]
  },
}

function definedOf(members: Pod['metadata']): Pod['metadata'] {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function changeErrors(pod: Pod, old: Pod, tables: ReleaseTables): FieldError[] {
  const path = 'spec.ephemeralContainers'
  const type = typeNamed('EphemeralContainer', tables)
  const now = new Map(
    (pod.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]),
  )
  return (old.spec?.ephemeralContainers ?? []).flatMap((before) => {
    const after = now.get(before.name)
    if (after === undefined)
      return [
        forbiddenField(path, `existing ephemeral containers "${before.name}" may not be removed\n`),
      ]
    const canonical = canonicalValue(type, after as Json, 'stored')
    return equalJson(before, canonical)
      ? []
      : [
          forbiddenChange(
            tables.changes,
            path,
            `existing ephemeral containers "${before.name}" may not be changed`,
            goValue(type, before as Json),
            goValue(type, canonical),
          ),
        ]
  })
}
