/** Members of pods that must have one of a few values (texts recorded). */
import type { FieldError } from '../../../http/status'
import { notSupported, required } from '../../field-errors'

const NONE: readonly FieldError[] = []

/** When images are pulled: of containers and of volumes. */
export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

/** A value that is not given is told otherwise than one that there is not. */
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
