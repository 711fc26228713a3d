/** kubernetes.io, "Validating Admission Policy". Recordings: policy-effects, policy-authz-cost. */
import type { Value } from '../cel/values/value'
import { goTrim } from '../schema/go-text'
import type { CheckError } from '../webhooks/metrics'
import {
  type Evaluated,
  type Evaluation,
  evaluateAll,
  OUT_OF_BUDGET,
  POLICY_BUDGET,
  type Scope,
} from './evaluate'
import { type ConditionsOutcome, matchConditions } from './match-conditions'
import type { FailurePolicy, Validation } from './objects'
import type { PreparedPolicy } from './policies'

export interface Denial {
  message: string
  reason: string
  index: number
  /** `no_error` if the validation is false. */
  error: CheckError
}

export interface ValidateResult {
  denials: Denial[]
  auditAnnotations: { key: string; value: string }[]
  /** These deny independently of the binding's actions. */
  auditErrors: string[]
  evaluated: readonly (Evaluated | undefined)[]
  stopped?: { by: 'condition' } | { by: 'failure'; message: string }
  conditions: ConditionsOutcome | undefined
  /** Milliseconds. */
  times: { conditions: number; validations: number }
}

const INVALID = 'Invalid'
const MAX_MESSAGE_BYTES = 5 * 1024
const MAX_AUDIT_VALUE = 10 * 1024

type Overrides = ReadonlyMap<string, Value | undefined>

/**
 * They run before the namespace is read (recording
 * reports-differences-policies/namespace-in-match-conditions).
 */
const IN_CONDITIONS: Overrides = new Map([['namespaceObject', null]])

/**
 * They compile with an authorizer but run without one (recording
 * reports-differences-policies/authorizer-in-audit-annotations).
 */
const IN_AUDIT_ANNOTATIONS: Overrides = new Map([
  ['authorizer', undefined],
  ['authorizer.requestResource', undefined],
])

/** @param stopwatch milliseconds from any start */
export function validateWithPolicy(
  policy: PreparedPolicy,
  scopeOf: (overrides?: Overrides) => Scope,
  failurePolicy: FailurePolicy,
  stopwatch: () => number,
): ValidateResult {
  const begun = stopwatch()
  const conditions =
    policy.conditions.length === 0
      ? 'met'
      : matchConditions(policy.conditions, scopeOf(IN_CONDITIONS), failurePolicy)
  const matched = stopwatch()
  const observed = () => ({
    conditions: policy.conditions.length === 0 ? undefined : conditions,
    times: { conditions: matched - begun, validations: stopwatch() - matched },
  })
  const failed = (message: string, error: CheckError): ValidateResult => ({
    denials: failurePolicy === 'Fail' ? [{ message, reason: INVALID, index: 0, error }] : [],
    auditAnnotations: [],
    auditErrors: [],
    evaluated: [],
    stopped: { by: 'failure', message },
    ...observed(),
  })
  if (conditions === 'skipped')
    return {
      denials: [],
      auditAnnotations: [],
      auditErrors: [],
      evaluated: [],
      stopped: { by: 'condition' },
      ...observed(),
    }
  if (conditions !== 'met') return failed(conditions.error, 'invalid_error')
  const { results: evaluated, remaining } = evaluateAll(
    policy.expressions,
    scopeOf(),
    POLICY_BUDGET,
  )
  if (remaining === undefined) return failed(OUT_OF_BUDGET, 'out_of_budget')
  // Message expressions share the remaining budget, even those of validations that hold.
  const messages = policy.hasMessages
    ? evaluateAll(policy.messages, scopeOf(), remaining)
    : NO_MESSAGES
  const denials = evaluated.flatMap((result, index) => {
    if (result?.value === true && messages.remaining !== undefined) return []
    const { validation } = policy.validations[index] as PreparedPolicy['validations'][number]
    const message = messages.remaining === undefined ? 'out of budget' : messages.results[index]
    return denialOf(result as Evaluated, validation, message, failurePolicy).map((denial) => ({
      ...denial,
      index,
    }))
  })
  if (policy.auditAnnotations.length === 0)
    return { denials, auditAnnotations: [], auditErrors: [], evaluated, ...observed() }
  const annotations = evaluateAll(
    policy.auditAnnotations.map(({ prepared }) => prepared),
    scopeOf(IN_AUDIT_ANNOTATIONS),
    POLICY_BUDGET,
  )
  if (annotations.remaining === undefined) return failed(OUT_OF_BUDGET, 'out_of_budget')
  return {
    denials,
    ...annotationsOf(policy, annotations.results, failurePolicy),
    evaluated,
    ...observed(),
  }
}

const NO_MESSAGES: Evaluation = { results: [], remaining: 0 }

function denialOf(
  result: Evaluated,
  validation: Validation,
  message: Evaluated | 'out of budget' | undefined,
  failurePolicy: FailurePolicy,
): Omit<Denial, 'index'>[] {
  const failed = (why: string, error: CheckError) =>
    failurePolicy === 'Fail' ? [{ message: why, reason: INVALID, error }] : []
  if (result.error !== undefined) return failed(result.error, result.cause)
  if (message === 'out of budget')
    return failed(`failed messageExpression: ${OUT_OF_BUDGET}`, 'out_of_budget')
  if (result.value === true) return []
  return [
    {
      message: messageOf(validation, message?.value),
      reason: validation.reason ?? INVALID,
      error: 'no_error',
    },
  ]
}

/** messageExpression if usable, else the message, else the expression. */
function messageOf(
  { expression = '', message = '' }: Validation,
  result: Value | undefined,
): string {
  const text = typeof result === 'string' ? goTrim(result) : ''
  const usable =
    text !== '' &&
    !text.includes('\n') &&
    new TextEncoder().encode(text).length <= MAX_MESSAGE_BYTES
  if (usable) return text
  return goTrim(message) || `failed expression: ${goTrim(expression)}`
}

function annotationsOf(
  { auditAnnotations }: PreparedPolicy,
  results: readonly (Evaluated | undefined)[],
  failurePolicy: FailurePolicy,
): Pick<ValidateResult, 'auditAnnotations' | 'auditErrors'> {
  const errors = results.flatMap((result) => result?.error ?? [])
  return {
    auditAnnotations: results.flatMap((result, i) => {
      const value = typeof result?.value === 'string' ? goTrim(result.value) : ''
      return value === ''
        ? []
        : [{ key: auditAnnotations[i]?.key ?? '', value: value.slice(0, MAX_AUDIT_VALUE) }]
    }),
    auditErrors: failurePolicy === 'Fail' ? errors : [],
  }
}
