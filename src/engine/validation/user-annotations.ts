/**
 * Validates annotation keys that users choose. k8s.io/apimachinery, pkg/util/validation,
 * `IsDomainPrefixedKey`.
 */
import type { FieldError } from '../http/status'
import { invalidValue, required, tooLong } from './field-errors'
import { qualifiedNameProblems } from './names'

const MOST_BYTES = 256 * 1024

/** Keys have a domain; case does not matter. */
export function userAnnotationErrors(
  annotations: Readonly<Record<string, unknown>>,
  field: string,
): FieldError[] {
  const errors = Object.keys(annotations)
    .map((key) => key.toLowerCase())
    .sort()
    .flatMap((key) => {
      if (key === '') return [required(field)]
      const problems = qualifiedNameProblems(key)
      if (problems.length > 0) return problems.map((why) => invalidValue(field, key, why))
      const why = 'must be a domain-prefixed key (such as "acme.io/foo")'
      return key.includes('/') ? [] : [invalidValue(field, key, why)]
    })
  const encoder = new TextEncoder()
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + encoder.encode(key + String(value)).length,
    0,
  )
  return bytes > MOST_BYTES ? [...errors, tooLong(field, MOST_BYTES)] : errors
}
