/** When images are pulled: of containers and of volumes (recorded). */
import type { FieldError } from '../../../http/status'
import { notSupported, required } from '../../field-errors'

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']
const NONE: readonly FieldError[] = []

/** One that is not given is told otherwise than one that there is not. */
export const oneOf = (field: string, value: string, supported: string[]): FieldError =>
  value === '' ? required(field) : notSupported(field, value, supported)

export const pullPolicyErrors = (policy: string, field: string): readonly FieldError[] =>
  PULL_POLICIES.includes(policy) ? NONE : [oneOf(field, policy, PULL_POLICIES)]
