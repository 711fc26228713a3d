/** Rules and texts recorded from kube-apiserver 1.31. */
import type { FieldError } from '../http/status'
import {
  errorsOfItems,
  invalidLabelValue,
  invalidValue,
  notSupported,
  sinceChange,
} from './field-errors'
import { invalidStructure } from './go-literal'
import { labelKeyErrors } from './label-selectors'
import { labelValueProblems } from './names'
import type { Toleration } from './pods'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
const TOLERATION_OPERATORS = ['Equal', 'Exists']
const NUMERIC = ['Lt', 'Gt']

export function tolerationErrors(tolerations: Toleration[], path: string): FieldError[] {
  return errorsOfItems(tolerations, (toleration, i) => {
    const at = `${path}[${i}]`
    const { key = '', operator = '', value = '', effect = '' } = toleration
    const errors = key === '' ? [] : labelKeyErrors(key, `${at}.key`)
    if (key === '' && operator !== 'Exists') {
      const why =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"'
      errors.push(invalidValue(`${at}.operator`, operator, why))
    }
    if (typeof toleration.tolerationSeconds === 'number' && effect !== 'NoExecute')
      errors.push(
        invalidValue(
          `${at}.effect`,
          effect,
          "effect must be 'NoExecute' when `tolerationSeconds` is set",
        ),
      )
    if (operator === '' || operator === 'Equal') {
      const problems = labelValueProblems(value)
      if (problems.length > 0)
        errors.push(invalidLabelValue(`${at}.operator`, value, problems.join(';')))
    } else if (operator === 'Exists') {
      if (value !== '') errors.push(superfluousValue(`${at}.operator`, toleration))
    } else errors.push(unknownOperator(`${at}.operator`, operator))
    if (effect !== '' && !EFFECTS.includes(effect))
      errors.push(notSupported(`${at}.effect`, effect, EFFECTS))
    return errors
  })
}

function unknownOperator(field: string, operator: string): FieldError {
  const error = notSupported(field, operator, TOLERATION_OPERATORS)
  return NUMERIC.includes(operator)
    ? sinceChange(
        'NumericOperatorsNamed',
        notSupported(field, operator, [...TOLERATION_OPERATORS, ...NUMERIC]),
        error,
      )
    : error
}

/** Until Kubernetes 1.32 the message prints the toleration. */
function superfluousValue(field: string, toleration: Toleration): FieldError {
  const why = "value must be empty when `operator` is 'Exists'"
  return sinceChange(
    'TolerationValueNamed',
    invalidValue(field, toleration.value, why),
    invalidStructure(field, 'Toleration', toleration, why),
  )
}
