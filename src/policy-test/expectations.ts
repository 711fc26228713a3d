/** Compares responses with expectations. */
import { entryOf } from '../engine/core/object'
import type { PolicyFinding, ValidationFinding } from '../engine/telemetry/policy-findings'
import type { CaseResponse, Expectation, ExpectedFailure } from './types'

/** @returns one message per difference */
export function unmet(expected: Expectation, response: CaseResponse): string[] {
  return [
    ...verdict(expected, response),
    ...(expected.warnings ? listed('warning', expected.warnings, response.warnings) : []),
    ...annotations(expected.auditAnnotations ?? {}, response),
    ...(expected.validations ? validations(expected.validations, response) : []),
    ...causes(expected.causes ?? [], response),
  ]
}

function verdict(
  { allowed, message, code, reason }: Expectation,
  response: CaseResponse,
): string[] {
  const problems: string[] = []
  if (allowed !== undefined && allowed !== response.allowed)
    problems.push(
      allowed
        ? `expected to be allowed, but ${rejection(response)}`
        : 'expected to be rejected, but allowed',
    )
  if (message !== undefined && !response.message.includes(message))
    problems.push(`expected ${quoted(message)} in ${quoted(response.message)}`)
  if (code !== undefined && code !== response.status)
    problems.push(`expected code ${code}, but it is ${response.status}`)
  if (reason !== undefined && reason !== response.reason)
    problems.push(`expected reason ${reason}, but it is ${response.reason || 'none'}`)
  return problems
}

const quoted = (text: string): string => JSON.stringify(text)
const rejection = ({ status, message }: CaseResponse): string =>
  `rejected with ${status}: ${message}`

/** Each expected text is part of a different found text, and none is left over. */
function listed(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const left = [...found]
  const missing = expected.filter((text) => {
    const at = left.findIndex((one) => one.includes(text))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return [
    ...missing.map((text) => `expected a ${what} with ${quoted(text)}`),
    ...left.map((text) => `did not expect the ${what} ${quoted(text)}`),
  ]
}

function annotations(
  expected: Readonly<Record<string, string>>,
  { auditAnnotations }: CaseResponse,
): string[] {
  return Object.entries(expected).flatMap(([key, value]) => {
    const found = entryOf(auditAnnotations, key)
    if (found === value) return []
    return [
      `expected the audit annotation ${key} to be ${quoted(value)}, but ${found === undefined ? 'there is none' : `it is ${quoted(found)}`}`,
    ]
  })
}

interface Failure {
  finding: PolicyFinding
  validation: ValidationFinding
}

function validations(expected: readonly ExpectedFailure[], { findings }: CaseResponse): string[] {
  const left = findings.flatMap((finding): Failure[] =>
    finding.validations
      .filter(({ outcome }) => outcome !== 'holds')
      .map((validation) => ({ finding, validation })),
  )
  const missing = expected.filter((wanted) => {
    const at = left.findIndex((failure) => fits(wanted, failure))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return [
    ...missing.map(
      (wanted) =>
        `expected to fail: ${Object.entries(wanted)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ')}`,
    ),
    ...left.map(
      ({ finding, validation }) =>
        `did not expect to fail: policy ${finding.policy}, binding ${finding.binding}, index ${validation.index}`,
    ),
  ]
}

function fits(
  { policy, binding, index, message }: ExpectedFailure,
  { finding, validation }: Failure,
): boolean {
  return (
    (policy === undefined || policy === finding.policy) &&
    (binding === undefined || binding === finding.binding) &&
    (index === undefined || index === validation.index) &&
    (message === undefined || (validation.message ?? '').includes(message))
  )
}

function causes(expected: NonNullable<Expectation['causes']>, response: CaseResponse): string[] {
  return expected.flatMap(({ field, message }) => {
    const isThere = response.causes.some(
      (cause) =>
        (field === undefined || cause.field === field) &&
        (message === undefined || cause.message.includes(message)),
    )
    if (isThere) return []
    const found = response.causes.map((cause) => `${cause.field}: ${cause.message}`).join('; ')
    return [
      `expected a cause${field === undefined ? '' : ` at ${field}`}${message === undefined ? '' : ` with ${quoted(message)}`}; there is ${found || 'none'}`,
    ]
  })
}
