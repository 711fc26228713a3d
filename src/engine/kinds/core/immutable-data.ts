/** Rejects changes of immutable ConfigMaps and Secrets. Recorded from kube-apiserver 1.31. */

import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { forbiddenField } from '../../validation/field-errors'

const WHY = 'field is immutable when `immutable` is set'

export function changesOfImmutable(
  object: KubeObject,
  old: KubeObject,
  members: string[],
): FieldError[] {
  if (old.immutable !== true) return []
  const changed = members.filter((member) => !equalJson(object[member] ?? {}, old[member] ?? {}))
  return [...(object.immutable === true ? [] : ['immutable']), ...changed].map((field) =>
    forbiddenField(field, WHY),
  )
}
