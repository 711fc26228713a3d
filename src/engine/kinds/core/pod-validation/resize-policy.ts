/**
 * Validates resize policies, as `validateResizePolicy` of k8s.io/kubernetes,
 * pkg/apis/core/validation.
 */

import { append } from '../../../core/lists'
import type { JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import {
  duplicate,
  errorsOfItems,
  invalidValue,
  notSupported,
  required,
  sinceChange,
} from '../../../validation/field-errors'

const RESOURCES = ['cpu', 'memory']
const POLICIES = ['NotRequired', 'RestartContainer']

/** @param restartPolicy of the pod */
export function resizePolicyErrors(
  policies: readonly JsonObject[] | null | undefined,
  restartPolicy: string | undefined,
  path: string,
): FieldError[] {
  const known = new Set<unknown>()
  const choice = (value: unknown, supported: string[]): FieldError[] => {
    if (value === undefined || value === '') return [required(path)]
    return supported.includes(value as string) ? [] : [notSupported(path, value, supported)]
  }
  return errorsOfItems(policies, ({ resourceName, restartPolicy: policy }, i) => {
    const errors = known.has(resourceName) ? [duplicate(`${path}[${i}]`, resourceName)] : []
    known.add(resourceName)
    append(errors, choice(resourceName, RESOURCES), choice(policy, POLICIES))
    if (restartPolicy === 'Never' && policy !== 'NotRequired')
      errors.push(
        sinceChange(
          'PodRestartPolicyNamed',
          invalidValue(path, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"),
          invalidValue(path, policy, "must be 'NotRequired' when `restartPolicy` is 'Never'"),
        ),
      )
    return errors
  })
}
