/** The allowed values of fields of Pods. Recorded from kube-apiserver 1.31. */
import type { FieldError } from '../../../http/status'
import { notSupported, required } from '../../../validation/field-errors'

const NONE: readonly FieldError[] = []

export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

/** An unset value has another error. */
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
