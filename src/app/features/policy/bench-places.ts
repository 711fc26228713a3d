/** The fields that can have a CEL expression: their variables, result types and cost limits. */
import {
  CALL_LIMIT,
  EXPRESSION_LIMIT,
  MATCH_CONDITIONS_BUDGET,
  OBJECT_LIMIT,
  POLICY_BUDGET,
  RULE_LIMIT,
} from '../../../engine/inspection/limits'

export interface Limit {
  title: string
  steps: number
}

interface PlaceWords {
  id: string
  title: string
  /** For one evaluation, and together with the others that share a budget. */
  perCall: Limit
  budget: Limit
}

export interface PolicyBenchPlace extends PlaceWords {
  kind: 'policy'
  wanted: 'bool' | 'string' | 'string or null' | 'anything'
  /** Knows parameters and variables. */
  ofPolicy: boolean
  authorizer: boolean
}

export interface RuleBenchPlace extends PlaceWords {
  kind: 'rule'
  wanted: 'bool' | 'string'
  /** The limit of the estimated cost. */
  estimate: Limit
}

export type BenchPlace = PolicyBenchPlace | RuleBenchPlace

const PER_CALL: Limit = { title: 'one expression', steps: EXPRESSION_LIMIT }
const POLICY: Limit = { title: 'all of a policy', steps: POLICY_BUDGET }
const CONDITIONS: Limit = { title: 'all match conditions', steps: MATCH_CONDITIONS_BUDGET }

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
  perCall: { title: 'one evaluation', steps: CALL_LIMIT },
  budget: { title: 'all rules of an object', steps: OBJECT_LIMIT },
  estimate: { title: 'estimate of one rule', steps: RULE_LIMIT },
})

export const BENCH_PLACES: readonly BenchPlace[] = [
  policy('validation', 'Policy: validation', 'bool'),
  policy('variable', 'Policy: variable', 'anything'),
  policy('message', 'Policy: message', 'string', { authorizer: false }),
  policy('audit', 'Policy: audit annotation', 'string or null'),
  policy('policy-condition', 'Policy: match condition', 'bool', { budget: CONDITIONS }),
  policy('webhook-condition', 'Webhook: match condition', 'bool', {
    ofPolicy: false,
    budget: CONDITIONS,
  }),
  rule('rule', 'Custom resource: rule', 'bool'),
  rule('rule-message', 'Custom resource: message', 'string'),
]

export const benchPlace = (id: string): BenchPlace =>
  BENCH_PLACES.find((place) => place.id === id) ?? (BENCH_PLACES[0] as BenchPlace)
