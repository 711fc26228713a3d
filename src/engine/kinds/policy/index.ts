/** Strategies of the kinds of group `policy`. */
import type { Strategy } from '../../registry/strategy'
import { podDisruptionBudgetStrategy } from './pod-disruption-budget'
import { podSecurityPolicyStrategy } from './pod-security-policy'

export const policyStrategies: Record<string, Strategy> = {
  'policy/PodDisruptionBudget': podDisruptionBudgetStrategy,
  'policy/PodSecurityPolicy': podSecurityPolicyStrategy,
}
