/**
 * Validates the conditions of FlowSchemas and priority levels. See k8s.io/kubernetes,
 * pkg/apis/flowcontrol/validation.
 */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { repeatsIn } from '../../schema/repeats'
import { duplicate, required } from '../../validation/field-errors'

/** Ignores all metadata, even an invalid uid (kube-apiserver 1.31). */
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
