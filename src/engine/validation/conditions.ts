/** metav1.Condition. Texts recorded from kube-apiserver 1.31. */
import type { FieldError } from '../http/status'
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  requiredOnly,
  sinceChange,
  tooLong,
  untilChange,
} from './field-errors'
import { byteLength, qualifiedNameProblems, regexMessage } from './names'

export interface StatusCondition {
  type?: string
  status?: string
  observedGeneration?: number
  lastTransitionTime?: string | null
  reason?: string
  message?: string
}

const STATES = ['False', 'True', 'Unknown']
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
const isReason = new RegExp(`^${REASON}$`)
const REASON_TEXT =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'"
const MAX_REASON = 1024
const MAX_MESSAGE = 32 * 1024
const MUST_BE_SET = 'must be set'

export function conditionErrors(
  conditions: StatusCondition[] | undefined | null,
  path: string,
): FieldError[] {
  const seen = new Set<string>()
  return (conditions ?? []).flatMap((condition, i) => {
    const { type = '' } = condition
    const errors = seen.has(type) ? [duplicate(`${path}[${i}].type`, type)] : []
    seen.add(type)
    return [...errors, ...oneErrors(condition, `${path}[${i}]`)]
  })
}

function typeErrors(type: string, field: string): FieldError[] {
  const errors = qualifiedNameProblems(type).map((problem) => invalidValue(field, type, problem))
  if (type !== '') return errors
  const change = 'ConditionTypeRequired'
  return errors.map((error, i) =>
    i === 0
      ? sinceChange(change, required(field, 'is required'), error)
      : untilChange(change, error),
  )
}

function oneErrors(condition: StatusCondition, path: string): FieldError[] {
  const {
    type = '',
    status = '',
    observedGeneration = 0,
    lastTransitionTime,
    reason = '',
    message = '',
  } = condition
  const errors = typeErrors(type, `${path}.type`)
  if (!STATES.includes(status)) errors.push(notSupported(`${path}.status`, status, STATES))
  if (observedGeneration < 0)
    errors.push(
      invalidValue(
        `${path}.observedGeneration`,
        observedGeneration,
        'must be greater than or equal to zero',
      ),
    )
  if (!lastTransitionTime) errors.push(requiredOnly(`${path}.lastTransitionTime`, MUST_BE_SET))
  if (reason === '') errors.push(requiredOnly(`${path}.reason`, MUST_BE_SET))
  else {
    if (!isReason.test(reason)) {
      const examples = ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB']
      errors.push(
        invalidValue(`${path}.reason`, reason, regexMessage(REASON_TEXT, REASON, ...examples)),
      )
    }
    if (reason.length > MAX_REASON) errors.push(tooLong(`${path}.reason`, MAX_REASON))
  }
  if (byteLength(message) > MAX_MESSAGE) errors.push(tooLong(`${path}.message`, MAX_MESSAGE))
  return errors
}
