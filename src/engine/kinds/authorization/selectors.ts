/** Raw text or requirements (KEP-4601). Recorded from kube-apiserver 1.31. */
import type { ReviewedSelector, SelectorRequirement } from '../../authorization/selectors'
import type { FieldError } from '../../http/status'
import { forbiddenField, invalidValue, required } from '../../validation/field-errors'
import {
  labelKeyErrors,
  labelValueErrors,
  VALUES_FORBIDDEN,
  VALUES_REQUIRED,
} from '../../validation/label-selectors'

const PATH = 'spec.resourceAttributes'

export function selectorProblems(
  attributes: { fieldSelector?: ReviewedSelector; labelSelector?: ReviewedSelector } | undefined,
): FieldError[] {
  const { fieldSelector, labelSelector } = attributes ?? {}
  return [
    ...problemsOf(fieldSelector, `${PATH}.fieldSelector`, fieldRequirementErrors),
    ...problemsOf(labelSelector, `${PATH}.labelSelector`, labelRequirementErrors),
  ]
}

function problemsOf(
  selector: ReviewedSelector | undefined,
  path: string,
  errorsOf: (requirement: SelectorRequirement, path: string) => FieldError[],
): FieldError[] {
  if (!selector) return []
  const { rawSelector = '', requirements = [] } = selector
  const errors: FieldError[] = []
  if (rawSelector !== '' && requirements.length > 0)
    errors.push(
      invalidValue(
        `${path}.rawSelector`,
        rawSelector,
        'may not specified at the same time as requirements',
      ),
    )
  if (rawSelector === '' && requirements.length === 0)
    errors.push(
      required(
        `${path}.requirements`,
        `when ${path} is specified, requirements or rawSelector is required`,
      ),
    )
  return [
    ...errors,
    ...requirements.flatMap((requirement, i) =>
      errorsOf(requirement, `${path}.requirements[${i}]`),
    ),
  ]
}

function fieldRequirementErrors(
  { key, ...requirement }: SelectorRequirement,
  path: string,
): FieldError[] {
  return [
    ...(key ? [] : [required(`${path}.key`, 'must be specified')]),
    ...valuesErrors(requirement, path),
  ]
}

function labelRequirementErrors(requirement: SelectorRequirement, path: string): FieldError[] {
  const { key = '', values = [] } = requirement
  return [
    ...valuesErrors(requirement, path),
    ...labelKeyErrors(key, `${path}.key`),
    ...values.flatMap((value, i) => labelValueErrors(value, `${path}.values[${i}]`)),
  ]
}

/** Newer versions may have other operators: ignored. */
function valuesErrors(
  { operator, values = [] }: Omit<SelectorRequirement, 'key'>,
  path: string,
): FieldError[] {
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    return [required(`${path}.values`, VALUES_REQUIRED)]
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    return [forbiddenField(`${path}.values`, VALUES_FORBIDDEN)]
  return []
}
