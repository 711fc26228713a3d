/** Texts recorded from kube-apiserver 1.31. */

import { append } from '../core/lists'
import { entryOf } from '../core/object'
import type { FieldError } from '../http/status'
import {
  errorsOfItems,
  forbiddenField,
  invalidLabelValue,
  invalidValue,
  required,
} from './field-errors'
import { invalidStructure } from './go-literal'
import { areLabels, labelValueProblems, qualifiedNameProblems } from './names'

export interface SelectorExpression {
  key?: string
  operator?: string
  values?: string[] | null
}

export interface LabelSelectorObject {
  matchLabels?: Record<string, string> | null
  matchExpressions?: SelectorExpression[] | null
}

const LABEL_SELECTOR = 'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector'

export const invalidSelector = (
  field: string,
  selector: LabelSelectorObject | undefined,
  why: string,
): FieldError =>
  selector
    ? invalidStructure(field, LABEL_SELECTOR, selector, why, 'api')
    : invalidValue(field, undefined, why)

/** At the path of the map. */
export function labelErrors(
  labels: Record<string, string> | undefined | null,
  path: string,
): FieldError[] {
  if (!labels || areLabels(labels)) return []
  return Object.keys(labels)
    .sort()
    .flatMap((key) => [
      ...labelKeyErrors(key, path),
      ...labelValueErrors(entryOf(labels, key) ?? '', path),
    ])
}

export const labelKeyErrors = (key: string, path: string): FieldError[] =>
  qualifiedNameProblems(key).map((problem) => invalidValue(path, key, problem))

export const labelValueErrors = (value: string, path: string): FieldError[] =>
  labelValueProblems(value).map((problem) => invalidLabelValue(path, value, problem))

export function labelSelectorErrors(
  selector: LabelSelectorObject | undefined | null,
  path: string,
): FieldError[] {
  if (selector === undefined || selector === null) return []
  return [
    ...labelErrors(selector.matchLabels, `${path}.matchLabels`),
    ...errorsOfItems(selector.matchExpressions, (expression, i) =>
      expressionErrors(expression, `${path}.matchExpressions[${i}]`),
    ),
  ]
}

export const BAD_OPERATOR = 'not a valid selector operator'
export const VALUES_REQUIRED = "must be specified when `operator` is 'In' or 'NotIn'"
export const VALUES_FORBIDDEN = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"

function expressionErrors(
  { key = '', operator = '', values }: SelectorExpression,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  const given = values ?? []
  if (operator === 'In' || operator === 'NotIn') {
    if (given.length === 0) errors.push(required(`${path}.values`, VALUES_REQUIRED))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (given.length > 0) errors.push(forbiddenField(`${path}.values`, VALUES_FORBIDDEN))
  } else errors.push(invalidValue(`${path}.operator`, operator, BAD_OPERATOR))
  append(errors, labelKeyErrors(key, `${path}.key`))
  return [
    ...errors,
    ...given.flatMap((value, i) => labelValueErrors(value, `${path}.values[${i}]`)),
  ]
}
