/** What the statuses of flow schemas and priority levels say: one condition of each type (public documentation of the release). */

import type { FieldError } from '../../http/status'
import type { KubeObject } from '../../object'
import { repeatsIn } from '../../schema/repeats'
import { duplicate, required } from '../field-errors'

/** Of a status' writer nothing of metadata counts, not even what else is refused, such as another uid (recorded). */
export function keepMetadata(object: KubeObject, old: KubeObject): void {
  object.metadata = { ...old.metadata, managedFields: object.metadata.managedFields }
}

interface WithConditions extends KubeObject {
  status?: { conditions?: { type?: string }[] | null }
}

export function statusErrors(object: KubeObject): FieldError[] {
  const conditions = (object as WithConditions).status?.conditions ?? []
  const types = conditions.map(({ type = '' }) => type)
  const isRepeat = repeatsIn(types)
  return types.flatMap((type, i) => {
    const field = `status.conditions[${i}].type`
    const repeated = isRepeat(i) ? [duplicate(field, type)] : []
    return type === '' ? [...repeated, required(field, 'must not be empty')] : repeated
  })
}
