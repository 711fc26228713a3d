/**
 * Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis/resource/validation.
 */
import type { FieldError } from '../../http/status'
import { invalidValue, overlong, required, typeInvalid } from '../../validation/field-errors'
import { dnsLabelProblems, dnsSubdomainProblems, regexMessage } from '../../validation/names'
import { driverNameErrors } from '../../validation/volumes'

const LONGEST_IDENTIFIER = 32
const LONGEST_POOL = 253
const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*'
const isIdentifier = new RegExp(`^${IDENTIFIER}$`)
const IDENTIFIER_TEXT =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'"

export const labelNameErrors = (field: string, name: string): FieldError[] =>
  dnsLabelProblems(name).map((problem) => invalidValue(field, name, problem))

export const subdomainErrors = (field: string, name: string): FieldError[] =>
  name === ''
    ? [required(field)]
    : dnsSubdomainProblems(name).map((problem) => invalidValue(field, name, problem))

/** DNS subdomains separated by slashes. */
export function poolNameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)]
  const errors = name.length > LONGEST_POOL ? [overlong(field, LONGEST_POOL)] : []
  return [
    ...errors,
    ...name
      .split('/')
      .flatMap((part) =>
        dnsSubdomainProblems(part).map((problem) => invalidValue(field, part, problem)),
      ),
  ]
}

function identifierErrors(field: string, name: string): FieldError[] {
  const errors = name.length > LONGEST_IDENTIFIER ? [overlong(field, LONGEST_IDENTIFIER)] : []
  if (isIdentifier.test(name)) return errors
  return [
    ...errors,
    typeInvalid(
      field,
      name,
      regexMessage(IDENTIFIER_TEXT, IDENTIFIER, 'my_name', 'MY_NAME', 'MyName'),
    ),
  ]
}

/** `model` or `gpu.example.com/model`; with more slashes not validated. */
export function qualifiedErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, 'name required')]
  const [domain = '', own, ...more] = name.split('/')
  if (own === undefined) return identifierErrors(field, domain)
  if (more.length > 0) return []
  return [
    ...(domain === ''
      ? [required(field, 'the prefix must not be empty')]
      : driverNameErrors(field, domain)),
    ...(own === ''
      ? [required(field, 'the name must not be empty')]
      : identifierErrors(field, own)),
  ]
}

export function fullyQualifiedErrors(field: string, name: string): FieldError[] {
  const errors = qualifiedErrors(field, name)
  return name.includes('/')
    ? errors
    : [...errors, required(`${field}.domain`, 'must include a prefix')]
}

/** Above v1alpha3. */
export function laterQualifiedErrors(field: string, name: string): FieldError[] {
  const [domain = '', own, ...more] = name.split('/')
  if (own === undefined) return laterIdentifierErrors(field, domain)
  if (more.length > 0) return [invalidValue(field, name, 'must not contain more than one slash')]
  return [
    ...(domain === ''
      ? [invalidValue(field, '', 'the domain must not be empty')]
      : driverNameErrors(field, domain)),
    ...(own === ''
      ? [invalidValue(field, '', 'the name must not be empty')]
      : laterIdentifierErrors(field, own)),
  ]
}

const laterIdentifierErrors = (field: string, name: string): FieldError[] =>
  identifierErrors(field, name).map((error) =>
    error.reason === 'FieldValueTypeInvalid' ? { ...error, reason: 'FieldValueInvalid' } : error,
  )

const TWO_PARTS = 'a fully qualified name must be a domain and a name separated by a slash'

export function laterFullyQualifiedErrors(field: string, name: string): FieldError[] {
  const errors = laterQualifiedErrors(field, name)
  return name.includes('/') ? errors : [...errors, invalidValue(field, name, TWO_PARTS)]
}
