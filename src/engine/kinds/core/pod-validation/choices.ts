/** Texts recorded from kube-apiserver 1.31. */
import type { FieldError } from '../../../http/status'
import { notSupported, required } from '../../../validation/field-errors'

const NONE: readonly FieldError[] = []

/** Of containers and image volumes. */
export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

/** Unset and unsupported are different errors. */
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
