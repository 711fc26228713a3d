/** KEP-5307; k8s.io/kubernetes, pkg/apis/core/validation/validation.go. */

import type { FieldError } from '../../../http/status'
import {
  errorsOfItems,
  forbiddenField,
  notSupported,
  required,
  sinceChange,
  tooLong,
  tooMany,
} from '../../../validation/field-errors'
import type { Container, RestartRule } from '../pod-types'
import type { PodValidationOptions } from './options'

const POLICIES = ['Always', 'Never', 'OnFailure']
const OPERATORS = ['In', 'NotIn']
const MOST_RULES = 20
const MOST_CODES = 255

/** Of regular containers, and init containers with rules. */
export function restartErrors(
  { restartPolicy, restartPolicyRules: rules }: Container,
  { allowsRestartRules, allowsRestartingAll }: PodValidationOptions,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  if (!allowsRestartRules) {
    if (restartPolicy !== undefined)
      errors.push(forbiddenField(`${path}.restartPolicy`, 'may not be set for non-init containers'))
    return errors
  }
  if (restartPolicy !== undefined) {
    if (!POLICIES.includes(restartPolicy))
      errors.push(notSupported(`${path}.restartPolicy`, restartPolicy, POLICIES))
  } else if (rules?.length) {
    const why = 'must specify restartPolicy when restart rules are used'
    errors.push(required(`${path}.restartPolicy`, why))
  }
  const field = `${path}.restartPolicyRules`
  if ((rules?.length ?? 0) > MOST_RULES)
    errors.push(longList(field, rules?.length ?? 0, MOST_RULES))
  const actions = allowsRestartingAll ? ['Restart', 'RestartAllContainers'] : ['Restart']
  return [
    ...errors,
    ...errorsOfItems(rules, (rule, i) => ruleErrors(rule, actions, `${field}[${i}]`)),
  ]
}

function ruleErrors(
  { action = '', exitCodes }: RestartRule,
  actions: readonly string[],
  path: string,
): FieldError[] {
  const errors = actions.includes(action) ? [] : [notSupported(`${path}.action`, action, actions)]
  if (!exitCodes) return [...errors, required(`${path}.exitCodes`, 'must be specified')]
  const { operator = '', values } = exitCodes
  if (!OPERATORS.includes(operator))
    errors.push(notSupported(`${path}.exitCodes.operator`, operator, OPERATORS))
  if ((values?.length ?? 0) > MOST_CODES)
    errors.push(longList(`${path}.exitCodes.values`, values?.length ?? 0, MOST_CODES))
  return errors
}

const longList = (field: string, actual: number, most: number): FieldError =>
  sinceChange('RestartRulesCounted', tooMany(field, actual, most), tooLong(field, most))

/** Sidecars have rules only if these can restart all containers. */
export function initRestartErrors(
  container: Container,
  options: PodValidationOptions,
  path: string,
): FieldError[] {
  if (container.restartPolicy !== 'Always' || options.allowsRestartingAll)
    return restartErrors(container, options, path)
  if (!container.restartPolicyRules?.length) return []
  const why = 'restartPolicyRules are not allowed for init containers with restart policy Always'
  return [forbiddenField(`${path}.restartPolicyRules`, why)]
}
