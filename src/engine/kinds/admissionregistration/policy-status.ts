/**
 * Validates the status of admission policies. Recorded from kube-apiserver 1.31 (`policy-create`).
 */
import { JsonPathError, parseJsonPath } from '../../encoding/json-path'
import type { FieldError } from '../../http/status'
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../../policy/objects'
import { conditionErrors, type StatusCondition } from '../../validation/conditions'
import { invalidValue, required } from '../../validation/field-errors'

export function policyStatusErrors({ status }: ValidatingAdmissionPolicy): FieldError[] {
  const warnings = status?.typeChecking?.expressionWarnings ?? []
  return [
    ...warnings.flatMap((warning, i) =>
      warningErrors(warning, `status.typeChecking.expressionWarnings[${i}]`),
    ),
    ...conditionErrors(status?.conditions as StatusCondition[] | undefined, 'status.conditions'),
  ]
}

function warningErrors(
  { fieldRef = '', warning = '' }: ExpressionWarning,
  path: string,
): FieldError[] {
  const problem = fieldRef === '' ? undefined : pathProblem(fieldRef)
  return [
    ...(warning === '' ? [required(`${path}.warning`)] : []),
    ...(fieldRef === '' ? [required(`${path}.fieldRef`)] : []),
    ...(problem === undefined
      ? []
      : [invalidValue(`${path}.fieldRef`, fieldRef, `invalid JSONPath: ${problem}`)]),
  ]
}

function pathProblem(text: string): string | undefined {
  try {
    parseJsonPath(/^\w/.test(text) ? `.${text}` : text)
    return undefined
  } catch (error) {
    if (error instanceof JsonPathError) return error.message
    throw error
  }
}
