/** Validates references to objects of any kind. Recorded from kube-apiserver 1.31. */
import type { FieldError } from '../../http/status'
import { invalidValue, requiredOnly } from '../../validation/field-errors'
import { dnsSubdomainProblems, pathSegment } from '../../validation/names'

export interface TypedReference {
  apiGroup?: string | null
  kind?: string
  name?: string
}

export function typedReferenceErrors(
  { apiGroup, kind = '', name = '' }: TypedReference,
  path: string,
): FieldError[] {
  const group = typeof apiGroup === 'string' ? dnsSubdomainProblems(apiGroup) : []
  const segment = (member: 'kind' | 'name', value: string) => {
    const field = `${path}.${member}`
    if (value === '') return [requiredOnly(field, `${member} is required`)]
    return pathSegment(value, false).map((problem) => invalidValue(field, value, problem))
  }
  return [
    ...group.map((problem) => invalidValue(`${path}.apiGroup`, apiGroup, problem)),
    ...segment('kind', kind),
    ...segment('name', name),
  ]
}
