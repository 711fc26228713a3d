/**
 * kubernetes.io, "Matching requests: matchConditions". Recordings: policy-effects,
 * policy-webhookcfg.
 */
import type { AdmissionAttributes } from '../admission/admission'
import { aggregateMessage } from '../core/aggregate-message'
import type { MaybePromise } from '../core/maybe-promise'
import { goTrim } from '../schema/go-text'
import { AccessDecisions } from './access-decisions'
import { bindingsOf } from './bindings'
import { compileExpression, type Declarations } from './compile'
import type { PolicyEnvironment, ServedForm } from './environment'
import {
  evaluateAll,
  MATCH_CONDITIONS_BUDGET,
  OUT_OF_BUDGET,
  type Prepared,
  Scope,
} from './evaluate'
import type { FailurePolicy, MatchCondition } from './objects'

export type CompiledConditions = readonly Prepared[]

export function compileConditions(
  conditions: readonly MatchCondition[],
  declared: Declarations,
): CompiledConditions {
  return conditions.map(({ expression = '' }) => {
    const text = goTrim(expression)
    return { expression: text, compiled: compileExpression(text, 'bool', declared) }
  })
}

/** `skipped`: a condition is false, or failures are ignored. */
export type ConditionsOutcome = 'met' | 'skipped' | { error: string }

export const outcomeLabel = (outcome: ConditionsOutcome): 'met' | 'excluded' | 'failed' =>
  outcome === 'met' ? 'met' : outcome === 'skipped' ? 'excluded' : 'failed'

/** A false condition decides, even if others fail. */
export function matchConditions(
  conditions: CompiledConditions,
  scope: Scope,
  failurePolicy: FailurePolicy,
): ConditionsOutcome {
  if (conditions.length === 0) return 'met'
  const { results, remaining } = evaluateAll(conditions, scope, MATCH_CONDITIONS_BUDGET)
  if (results.some((result) => result?.value === false)) return 'skipped'
  const errors =
    remaining === undefined ? [OUT_OF_BUDGET] : results.flatMap((result) => result?.error ?? [])
  if (errors.length === 0) return 'met'
  return failurePolicy === 'Ignore' ? 'skipped' : { error: aggregateMessage(errors) }
}

export interface ConditionInput {
  attributes: AdmissionAttributes
  form: ServedForm
  environment: PolicyEnvironment
}

const NO_VARIABLES = new Map<string, Prepared>()

export function webhookConditionsOutcome(
  conditions: CompiledConditions,
  { attributes, form, environment }: ConditionInput,
  failurePolicy: FailurePolicy,
): MaybePromise<ConditionsOutcome> {
  const decisions = new AccessDecisions(environment.authorizer(), attributes.user)
  const bindings = bindingsOf({
    attributes,
    form,
    requested: environment.requested(attributes),
    release: environment.release,
    namespace: () => undefined,
    decisions,
  })
  return decisions.complete(() =>
    matchConditions(conditions, new Scope(bindings, null, NO_VARIABLES), failurePolicy),
  )
}
