import {
  CALL_LIMIT,
  EXPRESSION_LIMIT,
  MATCH_CONDITIONS_BUDGET,
  OBJECT_LIMIT,
  POLICY_BUDGET,
  RULE_LIMIT,
} from '../../../engine/inspection/limits'
import { CONTEXTS, LIMITS } from './texts'

export interface Limit {
  title: string
  steps: number
}

interface PlaceWords {
  id: string
  title: string
  perCall: Limit
  budget: Limit
}

export interface PolicyBenchPlace extends PlaceWords {
  kind: 'policy'
  wanted: 'bool' | 'string' | 'string or null' | 'anything'
  ofPolicy: boolean
  authorizer: boolean
}

export interface RuleBenchPlace extends PlaceWords {
  kind: 'rule'
  wanted: 'bool' | 'string'
  estimate: Limit
}

export type BenchPlace = PolicyBenchPlace | RuleBenchPlace

const PER_CALL: Limit = { title: LIMITS.expression, steps: EXPRESSION_LIMIT }
const POLICY: Limit = { title: LIMITS.policy, steps: POLICY_BUDGET }
const CONDITIONS: Limit = { title: LIMITS.conditions, steps: MATCH_CONDITIONS_BUDGET }

const policy = (
  id: string,
  title: string,
  wanted: PolicyBenchPlace['wanted'],
  rest: Partial<PolicyBenchPlace> = {},
): PolicyBenchPlace => ({
  id,
  title,
  kind: 'policy',
  wanted,
  ofPolicy: true,
  authorizer: true,
  perCall: PER_CALL,
  budget: POLICY,
  ...rest,
})

const rule = (id: string, title: string, wanted: RuleBenchPlace['wanted']): RuleBenchPlace => ({
  id,
  title,
  kind: 'rule',
  wanted,
  perCall: { title: LIMITS.evaluation, steps: CALL_LIMIT },
  budget: { title: LIMITS.object, steps: OBJECT_LIMIT },
  estimate: { title: LIMITS.rule, steps: RULE_LIMIT },
})

export const BENCH_PLACES: readonly BenchPlace[] = [
  policy('validation', CONTEXTS.validation, 'bool'),
  policy('variable', CONTEXTS.variable, 'anything'),
  policy('message', CONTEXTS.message, 'string', { authorizer: false }),
  policy('audit', CONTEXTS.auditAnnotation, 'string or null'),
  policy('policy-condition', CONTEXTS.policyCondition, 'bool', { budget: CONDITIONS }),
  policy('webhook-condition', CONTEXTS.webhookCondition, 'bool', {
    ofPolicy: false,
    budget: CONDITIONS,
  }),
  rule('rule', CONTEXTS.rule, 'bool'),
  rule('rule-message', CONTEXTS.ruleMessage, 'string'),
]

export const benchPlace = (id: string): BenchPlace =>
  BENCH_PLACES.find((place) => place.id === id) ?? (BENCH_PLACES[0] as BenchPlace)
