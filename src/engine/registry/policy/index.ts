/** Strategies of the kinds of group `policy`. */
import type { Strategy } from '../strategy'
import { podDisruptionBudgetStrategy } from './pod-disruption-budget'

export const policyStrategies: Record<string, Strategy> = {
  'policy/PodDisruptionBudget': podDisruptionBudgetStrategy,
}
