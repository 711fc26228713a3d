/** Members of pods with enumerated values. Texts recorded from kube-apiserver 1.31. */
import type { FieldError } from '../../../http/status'
import { notSupported, required } from '../../../validation/field-errors'

const NONE: readonly FieldError[] = []

/** Pull policies of containers and image volumes. */
export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

/** An unset value has another error than an unsupported one. */
export const choiceErrors = (
  value: string | undefined,
  choices: string[],
  field: string,
): readonly FieldError[] =>
  !value
    ? [required(field)]
    : choices.includes(value)
      ? NONE
      : [notSupported(field, value, choices)]
