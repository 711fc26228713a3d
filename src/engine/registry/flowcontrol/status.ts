/** What the statuses of flow schemas and priority levels say: one condition of each type (public documentation of the release). */
import type { FieldError } from '../../http/status'
import type { KubeObject } from '../../object'
import { duplicate, required } from '../field-errors'

interface WithConditions extends KubeObject {
  status?: { conditions?: { type?: string }[] | null }
}

export function statusErrors(object: KubeObject): FieldError[] {
  const conditions = (object as WithConditions).status?.conditions ?? []
  const types = conditions.map(({ type = '' }) => type)
  return types.flatMap((type, i) => {
    const field = `status.conditions[${i}].type`
    const repeated = types.indexOf(type) < i ? [duplicate(field, type)] : []
    return type === '' ? [...repeated, required(field, 'must not be empty')] : repeated
  })
}
