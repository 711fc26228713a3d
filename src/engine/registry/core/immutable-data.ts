/** Config maps and secrets that say `immutable: true` keep it, and their data (messages recorded). */
import type { FieldError } from '../../http/status'
import { equalJson, type KubeObject } from '../../object'
import { forbiddenField } from '../field-errors'

const WHY = 'field is immutable when `immutable` is set'

/** @param members which members hold the data */
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
