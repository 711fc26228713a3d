/** The spec of a claim to storage, by itself or in a template of claims (rules and texts recorded). */
import type { FieldError } from '../../http/status'
import { isJsonObject, type Json, type JsonObject } from '../../object'
import { required } from '../field-errors'
import { type LabelSelectorObject, labelSelectorErrors } from './label-selectors'
import { accessModeErrors, classNameErrors, positiveErrors, volumeModeErrors } from './volumes'

export function claimSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const modes = Array.isArray(spec.accessModes) ? (spec.accessModes as string[]) : []
  const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`, 'at least 1 access mode is required')] : []),
    ...labelSelectorErrors(spec.selector as LabelSelectorObject | undefined, `${path}.selector`),
    ...accessModeErrors(`${path}.accessModes`, modes),
    ...requestErrors(spec.resources, `${path}.resources[storage]`),
    ...classNameErrors(`${path}.storageClassName`, text(spec.storageClassName)),
    ...volumeModeErrors(`${path}.volumeMode`, text(spec.volumeMode)),
  ]
}

function requestErrors(resources: Json | undefined, field: string): FieldError[] {
  const requests = isJsonObject(resources) && isJsonObject(resources.requests) ? resources.requests : {}
  const { storage } = requests
  return typeof storage === 'string' ? positiveErrors(field, storage) : [required(field)]
}
